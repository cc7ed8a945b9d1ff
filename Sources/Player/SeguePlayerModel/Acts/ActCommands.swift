internal import SegueBase
package import SegueEvents
internal import SeguePlaylists

/// The translation of acts into commands of a session.
package struct ActCommands {
    private let items: [ItemAddress]
    private let session: any SessionUnderTest
    private let facts: SessionFacts

    /// A translation for the state of a session at one instant.
    ///
    /// - Parameters:
    ///   - items: The items that may be opened.
    ///   - facts: The facts of the instant.
    package init(items: [ItemAddress], session: any SessionUnderTest, facts: SessionFacts) {
        (self.items, self.session, self.facts) = (items, session, facts)
    }

    /// Returns the commands of an act.
    ///
    /// - Throws: ``ActError`` if the act is impossible now.
    package func of(_ act: PlayerAct) throws(ActError) -> [SessionCommand] {
        switch act {
        case .open(let items): [.open(try addresses(items))]
        case .play: [.play]
        case .pause: [.pause]
        case .playImmediately: [.playImmediately]
        case .rate(let rate): [.setRate(try self.rate(rate))]
        case .seek(let target, let before, let after):
            [
                .seek(
                    to: try duration(target),
                    toleranceBefore: try tolerance(before),
                    toleranceAfter: try tolerance(after)
                )
            ]
        case .insert(let items, let place): try insert(items, place)
        case .insertAgain(let place): [.insertAgain(try item(place), after: nil)]
        case .remove(let place): [.remove(try item(place))]
        case .removeAll: [.removeAll]
        case .advance: [.advance]
        case .defaultRate(let rate): [.setDefaultRate(try self.rate(rate))]
        case .cancelSeeks: [.cancelSeeks]
        case .scan(let speed, let isBackward): [.scan(try scanRate(speed) * (isBackward ? -1 : 1))]
        case .endScan: [.endScan]
        case .endAction(let action): [.setActionAtItemEnd(action.action)]
        case .minimizeStalls(let value): [.setWaitsToMinimizeStalls(value)]
        case .peakBitrate(let rate): [.setPeakBitrate(Int(min(max(try value(rate), 0), 1e12)))]
        case .forwardBuffer(let length): [.setForwardBuffer(try duration(length))]
        case .video(let isEnabled): [.setVideoEnabled(isEnabled)]
        case .layer(let isAttached): [isAttached ? .attachLayer : .detachLayer]
        }
    }

    private func value(_ expression: Expression) throws(ActError) -> Double {
        guard let value = facts.value(of: expression) else {
            throw ActError(description: "\(expression) has no value at this time")
        }
        return value
    }

    /// Returns a valid playback rate.
    private func rate(_ expression: Expression) throws(ActError) -> Double {
        let rate = try value(expression)
        guard rate == 0 || ExpressionBounds.rates.contains(rate) else {
            throw ActError(
                description: "\(expression) is \(DecimalText.short(rate)), must be 0 or a rate from"
                    + " \(ExpressionBounds.rates.lowerBound) to \(Int(ExpressionBounds.rates.upperBound))"
            )
        }
        return rate
    }

    /// Returns a valid scan rate.
    private func scanRate(_ expression: Expression) throws(ActError) -> Double {
        let rate = try value(expression)
        guard ItemScanner.speeds.contains(rate) else {
            let short = DecimalText.short(rate)
            throw ActError(description: "\(expression) is \(short), must be a rate \(PlayerAct.scanSpeeds)")
        }
        return rate
    }

    /// Returns a duration that an expression has now.
    ///
    /// - Throws: ``ActError`` if it has none.
    package func duration(_ expression: Expression) throws(ActError) -> Duration {
        guard let duration = facts.duration(of: expression) else {
            throw ActError(description: "\(expression) has no value at this time")
        }
        return duration
    }

    /// Returns the tolerance of a seek; nil for an infinite one.
    private func tolerance(_ tolerance: PlayerAct.Tolerance) throws(ActError) -> Duration? {
        switch tolerance {
        case .exact: .zero
        case .any: nil
        case .seconds(let seconds): try duration(seconds)
        }
    }

    private func item(_ place: PlayerAct.Place) throws(ActError) -> ItemID {
        let queue = session.queue
        let item =
            switch place {
            case .current: queue.first
            case .last: queue.last
            case .removed: session.lastRemoved
            case .nth(let number): number <= queue.count ? queue[number - 1] : nil
            }
        guard let item else { throw ActError(description: "the queue has no such item; its length is \(queue.count)") }
        return item
    }

    /// Returns insertions behind one item, which keep the order of the new items.
    private func insert(_ wanted: PlayerAct.Items, _ place: PlayerAct.Place) throws(ActError) -> [SessionCommand] {
        let addresses = try addresses(wanted)
        if session.queue.isEmpty, place != .last {
            throw ActError(description: "the queue is empty, so there is no item to insert after")
        }
        let behind: ItemID? = place == .last ? nil : try item(place)
        return (behind == nil ? addresses : addresses.reversed()).map { .insert($0, after: behind) }
    }

    /// Returns the sources to insert.
    private func addresses(_ wanted: PlayerAct.Items) throws(ActError) -> [ItemAddress] {
        let given = wanted.rendition == .full ? items : items.compactMap(\.soundAlone)
        guard let first = given.first else { throw ActError(description: "no item has this rendition") }
        if let url = wanted.url {
            let address = ItemAddress(full: URIReference.resolve(url, against: first.full))
            return Array(repeating: address, count: wanted.count ?? 1)
        }
        return (0..<(wanted.count ?? given.count)).map { given[$0 % given.count] }
    }
}

/// An error for an act that is impossible.
package struct ActError: Error, CustomStringConvertible {
    package let description: String
}

extension PlayerAct.EndAction {
    fileprivate var action: QueuePlayer.EndAction {
        switch self {
        case .advance: .advance
        case .pause: .pause
        case .none: .none
        }
    }
}

extension ItemAddress {
    /// The item with its audio alone, if there is such a rendition.
    fileprivate var soundAlone: ItemAddress? { background.map { ItemAddress(full: $0, background: $0) } }
}
