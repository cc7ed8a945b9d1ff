// Room: Packager.
