public let nameAudio = "Audio"
