package let nameTimeline = "Timeline"
