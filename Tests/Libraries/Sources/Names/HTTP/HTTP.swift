package let nameHTTP = "HTTP"
