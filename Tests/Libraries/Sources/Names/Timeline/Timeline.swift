public let nameTimeline = "Timeline"
