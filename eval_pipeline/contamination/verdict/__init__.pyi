from .fields import FieldVerdict as FieldVerdict
from .fields import verdict as verdict
from .items import item_rows as item_rows
from .items import item_status as item_status
from .items import item_statuses as item_statuses
from .review import ReviewDecision as ReviewDecision
from .review import after_review as after_review
from .review import read_decisions as read_decisions
