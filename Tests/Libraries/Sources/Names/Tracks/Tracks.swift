package let nameTracks = "Tracks"
