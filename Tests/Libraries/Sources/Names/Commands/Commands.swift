package let nameCommands = "Commands"
