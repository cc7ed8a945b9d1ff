// Room: Media.
