public let nameHLS = "HLS"
