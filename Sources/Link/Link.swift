// Room: Link.
