"""A home network made of network namespaces."""
