// Room: Origin.
