package let namePlayer = "Player"
