package let nameSettings = "Settings"
