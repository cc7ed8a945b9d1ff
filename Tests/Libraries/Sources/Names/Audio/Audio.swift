package let nameAudio = "Audio"
