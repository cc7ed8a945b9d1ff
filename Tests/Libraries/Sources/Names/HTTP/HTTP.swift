public let nameHTTP = "HTTP"
