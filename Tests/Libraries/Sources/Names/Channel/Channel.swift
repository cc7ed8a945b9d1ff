public let nameChannel = "Channel"
