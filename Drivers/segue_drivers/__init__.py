"""Drivers of real players for Segue; docs/drivers.md describes the protocol."""
