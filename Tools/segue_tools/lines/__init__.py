"""Downloads over `segue link`, and the same downloads over Linux's traffic control."""
