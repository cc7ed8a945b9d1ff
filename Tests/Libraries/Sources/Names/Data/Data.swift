package let nameData = "Data"
