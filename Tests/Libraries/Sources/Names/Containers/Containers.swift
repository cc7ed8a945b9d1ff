public let nameContainers = "Containers"
