"""Programs that run inside an installed Debian package."""
