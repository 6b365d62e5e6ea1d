"""The kinds of arrays that the room speaks of, each by one name."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = Any  # int as Python sees it, int64 as it is compiled
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Hashes = NDArray[np.uint64]
Points = NDArray[np.uint32]  # code points
Floats = NDArray[np.float64]
Sketches = NDArray[np.uint32]  # shape (texts, values)
