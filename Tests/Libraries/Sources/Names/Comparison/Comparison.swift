public let nameComparison = "Comparison"
