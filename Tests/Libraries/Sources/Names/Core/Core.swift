public let nameCore = "Core"
