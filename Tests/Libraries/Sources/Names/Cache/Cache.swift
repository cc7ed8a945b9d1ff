package let nameCache = "Cache"
