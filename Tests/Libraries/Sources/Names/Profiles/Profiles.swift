public let nameProfiles = "Profiles"
