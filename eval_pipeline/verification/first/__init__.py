"""The instruments of version 1, as they were when contracts were frozen with them.

Nothing here is mended: a frozen contract keeps its numbers, and `compare --against` shows what a
later version makes of the same replies. New contracts name the newest versions, which stand one
folder up; read those.
"""
