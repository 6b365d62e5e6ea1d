"""One BLAS thread, so that a sum does not depend on the number of cores.

It is also the quicker way for the small systems solved here: threads cost more than they save.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy.linalg  # noqa: F401  loads numpy's BLAS before it is looked for
import scipy.linalg  # noqa: F401  and scipy's own
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # has no types


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Holds BLAS to one thread while the block runs; may be nested."""
    with _libraries().limit(limits=1, user_api="blas"):
        yield


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()  # walks the loaded libraries: milliseconds, so once
