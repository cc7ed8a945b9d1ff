public let nameValidation = "Validation"
