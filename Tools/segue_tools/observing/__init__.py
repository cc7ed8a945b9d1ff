"""Recordings of known content, and the results of `segue observe`."""
