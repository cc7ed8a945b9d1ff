public let nameModels = "Models"
