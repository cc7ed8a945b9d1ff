package let nameDecoding = "Decoding"
