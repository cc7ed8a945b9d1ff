package let nameChannel = "Channel"
