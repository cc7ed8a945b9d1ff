"""Recordings of known content, and what `segue observe` says of them."""
