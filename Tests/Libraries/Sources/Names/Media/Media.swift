package let nameMedia = "Media"
