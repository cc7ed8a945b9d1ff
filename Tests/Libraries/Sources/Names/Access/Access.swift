public let nameAccess = "Access"
