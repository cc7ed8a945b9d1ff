public let nameDrawing = "Drawing"
