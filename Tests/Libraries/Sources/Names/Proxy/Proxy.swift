package let nameProxy = "Proxy"
