package let nameServer = "Server"
