public let nameNotation = "Notation"
