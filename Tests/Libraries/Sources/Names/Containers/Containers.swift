package let nameContainers = "Containers"
