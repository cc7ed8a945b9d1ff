"""The parts of the web page that are tried in a browser, by subject."""
