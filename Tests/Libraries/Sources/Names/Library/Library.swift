package let nameLibrary = "Library"
