from .negatives import ValidationCase as ValidationCase
from .planting import MECHANISMS as MECHANISMS
from .planting import Hosts as Hosts
from .rows import chosen_share as chosen_share
from .rows import validation_rows as validation_rows
