public let nameCache = "Cache"
