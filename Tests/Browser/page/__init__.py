"""What ci/page does on the page, by subject."""
