"""Attacks by subject: each module has ATTACKS, functions by name.

A function gets a folder of its own, and returns its figures as one line and a list of the bounds that were broken.
"""
