"""Browsers that scripts steer, and what a person does in them."""
