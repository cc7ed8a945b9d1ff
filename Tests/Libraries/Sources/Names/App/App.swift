package let nameApp = "App"
