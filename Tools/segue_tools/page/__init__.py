"""The checks of the web page in a browser, by subject."""
