package let nameEvents = "Events"
