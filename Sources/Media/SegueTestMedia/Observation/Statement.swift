internal import SegueBase
package import SegueEvents

/// A player's statement about visible or audible content.
package struct Statement: Sendable, Equatable {
    /// The observation that confirms a statement.
    enum Edge: Sendable, Equatable {
        case beginning(Observation.Medium?)
        case ending(Observation.Medium?)
        /// Frames with the variant's mark appear in time.
        case variant(Int)
    }

    /// The event's name and its relevant fields.
    let words: String
    /// The time, in seconds on the log's clock.
    let at: Double
    let edge: Edge
    /// The stated position on the item's timeline, in seconds.
    let position: Double?

    /// Converts an event; nil if it states nothing visible or audible.
    package init?(_ event: Event, variants: MarkedVariants = .none) {
        at = event.at.seconds
        let item: String
        switch event.kind {
        case .soundBegan(let name, let place): (item, edge, position) = (name, .beginning(.audio), place)
        case .soundEnded(let name, let place, _): (item, edge, position) = (name, .ending(.audio), place)
        case .pictureBegan(let name, let place): (item, edge, position) = (name, .beginning(.video), place)
        case .pictureEnded(let name, let place, _): (item, edge, position) = (name, .ending(.video), place)
        case .itemStalled(let name, let place): (item, edge, position) = (name, .ending(nil), place)
        case .seekEnded(let name, let place, true): (item, edge, position) = (name, .beginning(nil), place)
        case .playerTimeControl(let status, _):
            (item, edge, position) = (status, status == "playing" ? .beginning(nil) : .ending(nil), nil)
        case .playlistVariantChosen(let name, let url, _):
            guard let mark = variants.mark(of: url) else { return nil }
            (item, edge, position) = ("\(name), variant \(mark)", .variant(mark), nil)
        default: return nil
        }
        words = "\(event.kind.name) \(item)"
    }

    /// The statements of a log's events in order.
    ///
    /// A statement that playback stopped overrides an earlier one that it runs, because the rest cannot be observed.
    /// Choices of unmarked variants are ignored.
    package static func all(of events: [Event], variants: MarkedVariants = .none) -> [Statement] {
        var isPlaying = false
        return events.compactMap { event in
            if case .playerTimeControl(let status, _) = event.kind {
                let wasPlaying = isPlaying
                isPlaying = status == "playing"
                guard isPlaying != wasPlaying else { return nil }
            }
            return Statement(event, variants: variants)
        }
    }
}
