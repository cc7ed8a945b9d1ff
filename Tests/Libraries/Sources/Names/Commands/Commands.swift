public let nameCommands = "Commands"
