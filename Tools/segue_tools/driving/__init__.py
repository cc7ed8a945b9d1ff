"""The other end of a driver, and a server that holds bytes back at known moments."""
