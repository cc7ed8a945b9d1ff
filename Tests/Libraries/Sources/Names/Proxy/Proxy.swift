public let nameProxy = "Proxy"
