public let nameEvents = "Events"
