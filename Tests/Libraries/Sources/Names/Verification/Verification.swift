package let nameVerification = "Verification"
