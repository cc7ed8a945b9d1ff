"""The client of a driver, and a server that withholds bytes at known times."""
