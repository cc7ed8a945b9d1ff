package let nameWorkers = "Workers"
