"""Attacks by subject: each module has ATTACKS, functions by name.

A function receives a new folder, and returns a line with its figures and a list of the exceeded limits.
"""
