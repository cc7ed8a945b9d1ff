public let namePlaylists = "Playlists"
