public let nameSettings = "Settings"
