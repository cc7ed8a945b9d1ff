package let nameComparison = "Comparison"
