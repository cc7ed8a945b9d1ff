public let nameDecoding = "Decoding"
