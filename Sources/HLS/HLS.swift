// Room: HLS.
