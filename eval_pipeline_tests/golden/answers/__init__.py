"""What answers each golden instrument: a module a room, `INSTRUMENTS` in each."""
