public let nameServer = "Server"
