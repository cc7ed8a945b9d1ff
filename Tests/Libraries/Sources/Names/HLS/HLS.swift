package let nameHLS = "HLS"
