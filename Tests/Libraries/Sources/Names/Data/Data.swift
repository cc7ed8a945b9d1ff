public let nameData = "Data"
