"""Browsers under the control of scripts, and the actions of a user in them."""
