public let nameClient = "Client"
