// Room: Player.
