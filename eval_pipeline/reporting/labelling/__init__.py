"""The page in which a person labels pairs of replies, without a network and without a server.

`label_page` makes it; `label_page_parts` is its frame, its style and its one script.
"""
