internal import SegueBase
internal import SegueCharts

extension RunTimeline {
    func without(_ secrets: Secrets) -> RunTimeline {
        guard !secrets.isEmpty else { return self }
        var story = self
        for index in items.indices { story.items[index].url = secrets.removed(from: items[index].url) }
        for index in findings.indices {
            story.findings[index].message = secrets.removed(from: findings[index].message)
        }
        for index in marks.indices { story.marks[index].label = secrets.removed(from: marks[index].label) }
        return story
    }
}
