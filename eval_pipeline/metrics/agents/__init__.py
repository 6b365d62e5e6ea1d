"""What an agent did in its episodes: tasks solved, calls that were sound, what it cost."""
