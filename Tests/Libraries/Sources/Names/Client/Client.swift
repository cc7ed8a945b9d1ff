package let nameClient = "Client"
