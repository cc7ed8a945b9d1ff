public let nameUI = "UI"
