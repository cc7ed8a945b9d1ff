package let nameNotation = "Notation"
