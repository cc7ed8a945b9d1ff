internal import Dispatch
internal import SegueCharts
internal import Synchronization

/// A case on its way into a page.
struct DrawnCase {
    /// How many pictures are drawn side by side, on as many cores as there are; most of it is reading logs.
    static let together = 64

    let outcome: CaseOutcome
    let change: PageRows.Change?
    /// Whether there is room for its picture.
    var hasRoom = true

    init(_ outcome: CaseOutcome, _ change: PageRows.Change?) { (self.outcome, self.change) = (outcome, change) }

    /// Whether there can be a picture.
    var isPlayed: Bool { outcome.result.verdict != .skip }

    /// How much its picture is missed.
    var rank: PagePictures.Rank {
        switch outcome.result.verdict {
        case .fail, .broken: .failed
        case .known: .changed
        case .pass, .skip: change == nil ? .other : .changed
        }
    }

    /// The cases' pictures; nil for what has none.
    static func pictures(of cases: [DrawnCase], in outcomes: CaseOutcomes) -> [String?] {
        let pictures = Mutex([Int: String]())
        // What was recorded is read, and nothing of it changes.
        nonisolated(unsafe) let outcomes = outcomes
        DispatchQueue.concurrentPerform(iterations: cases.count) { place in
            let one = cases[place]
            guard one.isPlayed, one.hasRoom, let story = outcomes.story(of: one.outcome) else { return }
            let picture = one.picture(of: story)
            pictures.withLock { $0[place] = picture }
        }
        return pictures.withLock { pictures in cases.indices.map { pictures[$0] } }
    }

    /// The picture that `segue play --draw` makes of the case.
    private func picture(of story: RunStory) -> String {
        let (name, metrics) = (outcome.result.name, outcome.result.metrics)
        let title = "\(name.scenario) · \(name.network) · \(name.platform) · \(name.app)"
        return StoryPicture.svg(
            story,
            title: SuiteTable.printable("\(name.file): \(title)"),
            about: [metrics.words]
        )
    }
}
