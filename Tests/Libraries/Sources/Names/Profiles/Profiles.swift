package let nameProfiles = "Profiles"
