public let nameVerification = "Verification"
