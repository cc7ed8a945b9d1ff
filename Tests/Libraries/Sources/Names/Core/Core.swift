package let nameCore = "Core"
