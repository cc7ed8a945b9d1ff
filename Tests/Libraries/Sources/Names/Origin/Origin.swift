package let nameOrigin = "Origin"
