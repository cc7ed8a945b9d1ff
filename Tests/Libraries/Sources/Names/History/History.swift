package let nameHistory = "History"
