"""What judges say: of two replies to one item, and of single replies.

The votes and their accounts stand in the room of judging. `entry` lists what a contract may ask
for, `measure` averages the marks of single replies, `markdown_marks` counts the dress of a reply,
which judges like.
"""
