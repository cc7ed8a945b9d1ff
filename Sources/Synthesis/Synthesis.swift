// Room: Synthesis.
