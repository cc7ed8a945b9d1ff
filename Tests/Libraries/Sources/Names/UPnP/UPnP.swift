package let nameUPnP = "UPnP"
