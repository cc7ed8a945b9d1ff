// Room: Fetch.
