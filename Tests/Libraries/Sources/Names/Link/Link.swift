package let nameLink = "Link"
