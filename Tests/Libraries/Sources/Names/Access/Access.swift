package let nameAccess = "Access"
