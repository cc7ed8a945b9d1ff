package let namePlaylists = "Playlists"
