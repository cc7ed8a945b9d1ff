public let nameWorkers = "Workers"
