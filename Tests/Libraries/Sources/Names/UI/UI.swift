package let nameUI = "UI"
