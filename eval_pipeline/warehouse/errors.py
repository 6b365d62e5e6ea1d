"""What can go wrong in the warehouse, on one page.

Each is a kind of the builtin that a caller would catch anyway, and its text is one line that
names the thing, the place and the mend.
"""
# ruff: noqa: N818 - each is named for what happened

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eval_pipeline.warehouse.record import Record


class SchemaViolated(ValueError):
    """A table is not what the registry says it is; nothing was written."""


class NewerSchema(ValueError):
    """A part was written by a later version of the project than this one."""


class CheckFailed(ValueError):
    """A blocking check failed: the failure stands in lineage, the current part did not move.

    `record` is the failed record, already written: do not record the failure again.
    """

    def __init__(self, message: str, record: "Record") -> None:
        super().__init__(message)
        self.record = record


class MixedIdentities(ValueError):
    """Results of two contract identities were about to be read into one."""


class NotMaterialised(LookupError):
    """No result of this kind is in the warehouse."""


class DamagedPart(ValueError):
    """A file of the warehouse is missing, or not as it was written."""


class QueryRefused(ValueError):
    """The statement is not one that may read the warehouse."""


class QueryFailed(ValueError):
    """The statement may be asked, and has no answer: a wrong name, a wrong type."""


class WarehouseBusy(BlockingIOError):
    """Another process is writing to the warehouse."""


class DiskFull(OSError):
    """There is no room to write; what was there before is as it was."""
