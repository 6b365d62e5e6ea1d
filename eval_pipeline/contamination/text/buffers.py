"""Arrow text as plain arrays, which is what the kernels read."""

from typing import Any

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Longs

NO_BYTES: Bytes = np.frombuffer(b"", np.uint8)


def text_buffers(texts: Any) -> tuple[Bytes, Longs]:
    """The bytes and offsets of an Arrow array of large strings without nulls, uncopied.

    Neither may be written to, whatever Arrow says of its buffers: one form to compile.
    """
    data, starts = NO_BYTES, np.zeros(1, np.int64)
    if len(texts):
        _, offsets, content = texts.buffers()
        starts = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
        if content is not None and len(content):
            data = np.frombuffer(content, np.uint8)
    data.flags.writeable = starts.flags.writeable = False
    return data, starts
