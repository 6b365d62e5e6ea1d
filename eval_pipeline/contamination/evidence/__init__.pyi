from .log_probabilities import Exchangeability as Exchangeability
from .log_probabilities import difference as difference
from .log_probabilities import gap as gap
from .log_probabilities import min_k as min_k
from .log_probabilities import order_p as order_p
from .log_probabilities import sharded_order_p as sharded_order_p
