internal import SegueBase
package import SegueEvents

/// Something that a player said of what is seen or heard.
package struct Statement: Sendable, Equatable {
    /// What of a recording would show it.
    enum Edge: Sendable, Equatable {
        case beginning(Observation.Medium?)
        case ending(Observation.Medium?)
        /// That frames of the variant with this mark are seen in time.
        case variant(Int)
    }

    /// The event's name and what matters of its fields.
    let words: String
    /// When it was said, in seconds on the log's clock.
    let at: Double
    let edge: Edge
    /// The place on the item's timeline, in seconds, where it says one.
    let position: Double?

    /// The statement that an event makes; nil for one that says nothing of what is seen and heard.
    package init?(_ event: Event, variants: MarkedVariants = .none) {
        at = event.at.seconds
        let item: String
        switch event.kind {
        case .soundBegan(let name, let place): (item, edge, position) = (name, .beginning(.sound), place)
        case .soundEnded(let name, let place, _): (item, edge, position) = (name, .ending(.sound), place)
        case .pictureBegan(let name, let place): (item, edge, position) = (name, .beginning(.picture), place)
        case .pictureEnded(let name, let place, _): (item, edge, position) = (name, .ending(.picture), place)
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

    /// The statements that events make, in their order: a player that says that it does not play is believed where it
    /// said that it plays before, for of the rest there is nothing to be seen or heard.
    ///
    /// - Parameters:
    ///   - events: The events of a log.
    ///   - variants: Which variants have marks; the choice of another says nothing.
    /// - Returns: The statements.
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
