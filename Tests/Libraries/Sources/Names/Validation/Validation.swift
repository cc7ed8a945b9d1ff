package let nameValidation = "Validation"
