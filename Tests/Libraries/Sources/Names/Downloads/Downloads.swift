public let nameDownloads = "Downloads"
