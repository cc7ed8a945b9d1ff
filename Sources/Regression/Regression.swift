// Room: Regression.
