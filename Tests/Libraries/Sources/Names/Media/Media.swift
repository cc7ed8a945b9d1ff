public let nameMedia = "Media"
