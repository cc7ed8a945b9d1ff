internal import Dispatch
internal import SegueBase
internal import SegueCharts
internal import SegueComparison
internal import Synchronization

/// A case that waits to be added to a page.
struct DrawnCase {
    /// The number of cases whose timelines are drawn at once on all cores; most of the time goes into reading logs.
    static let together = 64

    let outcome: CaseOutcome
    let change: PageRows.Change?
    /// True if the page has room for its timeline.
    var hasRoom = true

    init(_ outcome: CaseOutcome, _ change: PageRows.Change?) { (self.outcome, self.change) = (outcome, change) }

    /// True if it has run, and so can have a timeline.
    var isPlayed: Bool { outcome.result.verdict != .skip }

    /// The importance of its timeline.
    var rank: PageTimelines.Rank {
        switch outcome.result.verdict {
        case .fail, .broken: .failed
        case .known: .changed
        case .pass, .skip: change == nil ? .other : .changed
        }
    }

    /// Draws the timelines of cases; nil for a case without one.
    static func pictures(of cases: [DrawnCase], in outcomes: CaseOutcomes) -> [String?] {
        let pictures = Mutex([Int: String]())
        // The outcomes are only read.
        nonisolated(unsafe) let outcomes = outcomes
        DispatchQueue.concurrentPerform(iterations: cases.count) { place in
            let one = cases[place]
            guard one.isPlayed, one.hasRoom, let story = outcomes.story(of: one.outcome) else { return }
            let picture = one.picture(of: story)
            pictures.withLock { $0[place] = picture }
        }
        return pictures.withLock { pictures in cases.indices.map { pictures[$0] } }
    }

    /// The timeline that `segue play --draw` draws of the case.
    private func picture(of story: RunTimeline) -> String {
        let (name, metrics) = (outcome.result.name, outcome.result.metrics)
        let title = "\(name.scenario) · \(name.network) · \(name.client) · \(name.app)"
        return TimelineDrawing.svg(
            story,
            title: SuiteTable.printable("\(name.file): \(title)"),
            about: [metrics.words]
        )
    }
}
