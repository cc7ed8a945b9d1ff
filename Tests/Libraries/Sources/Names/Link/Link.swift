public let nameLink = "Link"
