public let nameNetwork = "Network"
