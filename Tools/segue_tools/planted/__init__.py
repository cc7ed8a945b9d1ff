"""Faults that are planted in good presentations, for `segue validate` to name; see Tools/run faults."""
