package let namePlayback = "Playback"
