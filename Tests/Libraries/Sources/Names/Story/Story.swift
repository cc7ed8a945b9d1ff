package let nameStory = "Story"
