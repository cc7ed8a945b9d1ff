public let nameApp = "App"
