"""How often samples fail, by the way they fail: one rate a status.

Every contract gets them beside its metrics. There is no formula beyond a share; the values are made
in `measures.item_values`.
"""
