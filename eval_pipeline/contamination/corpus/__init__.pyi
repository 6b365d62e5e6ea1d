from .batch import DocumentBatch as DocumentBatch
from .batch import UnreadLines as UnreadLines
from .reading import batches as batches
from .reading import first_documents as first_documents
from .shard_files import shards as shards
