public let nameOrigin = "Origin"
