"""Faults of low latency."""
from .fault import Table
TABLE = Table("ll")
FAULTS = TABLE.faults
