public let nameStory = "Story"
