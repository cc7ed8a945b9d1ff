package let nameDrawing = "Drawing"
