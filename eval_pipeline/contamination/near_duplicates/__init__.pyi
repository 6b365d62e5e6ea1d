from .banding import CORPORA as CORPORA
from .banding import ITEMS as ITEMS
from .banding import Banding as Banding
from .banding import meeting_probability as meeting_probability
from .pairs import Documents as Documents
from .pairs import Lookup as Lookup
from .pairs import Pairs as Pairs
from .pairs import near_duplicates as near_duplicates
