public let namePage = "Page"
