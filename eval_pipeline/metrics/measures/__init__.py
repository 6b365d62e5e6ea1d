"""The forms of a measure, and the values of samples and items that follow from them.

Read `forms` first: a metric made from columns is `PerSample`, `OfSums`, `OfRanks` or `OfSet`, and
all else follows from that. `lookup` finds the measure of an entry, `column_values` asks it,
`item_values` gives every metric that has one a value an item, whatever it is made from.
"""
