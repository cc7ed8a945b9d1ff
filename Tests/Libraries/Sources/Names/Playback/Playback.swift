public let namePlayback = "Playback"
