internal import Foundation
internal import SegueBase
package import SegueConformance
internal import Synchronization

/// The status of all watched streams, for readers on any thread.
package final class StreamBoard: Sendable {
    package struct Entry: Sendable {
        package let url: String
        package var figures = WatchFigures()
        /// The number of violations of each rule.
        package var counts: [String: Int] = [:]
        /// The rules that are broken at the moment.
        package var broken: Set<String> = []
        /// The last finding and its time, in seconds since 1970.
        package var last: (at: Double, broken: BrokenRule)?
        /// The states over time.
        package var history = StateHistory()
    }

    private let entries: Mutex<[Entry]>
    private let profile: Profile
    /// The time of the first interval, in seconds since 1970.
    package let began: Double

    /// - Parameters:
    ///   - urls: The playlist URLs of the streams.
    ///   - profile: The texts whose rules count for the states.
    ///   - began: The time of the first interval, in seconds since 1970; nil for now.
    package init(_ urls: [String], profile: Profile = .usual, began: Double? = nil) {
        entries = Mutex(urls.map { Entry(url: $0) })
        (self.profile, self.began) = (profile, began ?? Date.now.timeIntervalSince1970)
    }

    /// All entries in the order of the streams.
    package var all: [Entry] { entries.withLock { $0 } }

    func found(_ broken: BrokenRule, in stream: Int, at date: Double) {
        let state = state(of: broken.rule)
        entries.withLock { entries in
            entries[stream].counts[broken.rule.id, default: 0] += 1
            entries[stream].last = (date, broken)
            if let state { entries[stream].history.mark(state, from: date - began, to: date - began) }
        }
    }

    /// The state that a finding shows; nil for advice.
    private func state(of rule: Rule) -> StreamState? {
        switch rule.severity(in: profile) {
        case .must: .must
        case .should: .should
        case .advice, nil: nil
        }
    }

    func measured(_ figures: WatchFigures, broken: Set<HeldCondition>, of stream: Int, at date: Double) {
        let rules = Set(broken.map(\.rule))
        let state = state(of: rules)
        entries.withLock { entries in
            let seconds = date - began
            // A stall is known when it ends.
            let stalled = figures.stallSeconds - entries[stream].figures.stallSeconds
            if stalled > 0 { entries[stream].history.mark(.stalled, from: seconds - stalled, to: seconds) }
            entries[stream].history.note(state, at: seconds)
            entries[stream].figures = figures
            entries[stream].broken = rules
        }
    }

    private static let rules = Dictionary(RuleCatalog.rules.map { ($0.id, $0) }) { first, _ in first }

    /// The state in which some rules are broken.
    private func state(of rules: Set<String>) -> StreamState {
        if rules.contains(LiveRules.reload.id) { return .unreachable }
        return rules.compactMap { Self.rules[$0].flatMap(state) }.max() ?? .good
    }
}
