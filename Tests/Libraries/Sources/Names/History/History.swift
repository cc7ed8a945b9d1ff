public let nameHistory = "History"
