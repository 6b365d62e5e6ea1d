"""Linear algebra on one thread."""

from threadpoolctl import threadpool_info

from eval_pipeline.statistics.threads import one_blas_thread


def blas_threads() -> set[int]:
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_blas_is_held_to_one_thread_and_let_go_again() -> None:
    before = blas_threads()
    with one_blas_thread():
        assert blas_threads() == {1}
        with one_blas_thread():
            assert blas_threads() == {1}
        assert blas_threads() == {1}
    assert blas_threads() == before
