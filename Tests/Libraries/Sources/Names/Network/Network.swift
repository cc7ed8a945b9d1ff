package let nameNetwork = "Network"
