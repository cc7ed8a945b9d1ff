"""Faults that are planted in good presentations, for `segue validate` to name; `Tools/run faults` plants them."""
