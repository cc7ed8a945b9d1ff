public let nameLibrary = "Library"
