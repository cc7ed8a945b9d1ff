package let nameModels = "Models"
