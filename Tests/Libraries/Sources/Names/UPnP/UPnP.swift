public let nameUPnP = "UPnP"
