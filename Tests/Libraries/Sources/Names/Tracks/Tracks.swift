public let nameTracks = "Tracks"
