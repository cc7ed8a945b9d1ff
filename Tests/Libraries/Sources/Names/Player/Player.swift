public let namePlayer = "Player"
