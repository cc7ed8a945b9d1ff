package let nameDownloads = "Downloads"
