package import SegueEvents

/// An act that an app's code can perform on its player, in a step of a scenario or in an app's rule.
package enum PlayerAct: Sendable, Equatable {
    /// Appends items to the queue.
    case open(Items)
    case insert(Items, after: Place)
    case remove(Place)
    /// Tries to insert an item that is in the queue already.
    case insertAgain(Place)
    case removeAll, advance, play, pause, playImmediately
    case rate(Expression), defaultRate(Expression)
    case seek(Expression, before: Tolerance, after: Tolerance)
    case cancelSeeks
    case scan(Expression, isBackward: Bool), endScan
    case endAction(EndAction)
    case minimizeStalls(Bool), video(Bool), layer(Bool)
    case peakBitrate(Expression), forwardBuffer(Expression)

    /// The place of an item in the queue.
    package enum Place: Sendable, Equatable {
        case current, last
        /// The item that left the queue last.
        case removed
        /// Counts from 1.
        case nth(Int)
    }

    /// The items to insert.
    package struct Items: Sendable, Equatable {
        package var rendition = ItemRendition.full
        /// The number of items, cycling through those available; nil for each of them once.
        package var count: Int?
        /// A URL, relative to the first item's playlist, to open instead.
        package var url: String?
    }

    /// The tolerance of a seek on one side.
    package enum Tolerance: Sendable, Equatable {
        case exact, any
        case seconds(Expression)
    }

    /// The action at the end of an item.
    package enum EndAction: String, Sendable, CaseIterable {
        case advance, pause, none
    }

    /// The new items that the act inserts, if any.
    package var opened: Items? {
        switch self {
        case .open(let items), .insert(let items, _): items
        case .remove, .insertAgain, .removeAll, .advance, .play, .pause, .playImmediately, .rate, .defaultRate, .seek,
            .cancelSeeks, .scan, .endScan, .endAction, .minimizeStalls, .video, .layer, .peakBitrate, .forwardBuffer:
            nil
        }
    }
}

extension PlayerAct.Items {
    /// A number of items of the full rendition.
    package init(_ count: Int) { self.init(count: count) }
}

extension PlayerAct: CustomStringConvertible {
    package var description: String {
        switch self {
        case .open(let items): "open \(items)"
        case .insert(let items, let place): "insert \(items) after \(place)"
        case .remove(let place): "remove \(place)"
        case .insertAgain(let place): "insert \(place) again"
        case .removeAll: "remove all"
        case .advance: "advance"
        case .play: "play"
        case .pause: "pause"
        case .playImmediately: "play immediately"
        case .rate(let rate): "rate \(rate)"
        case .defaultRate(let rate): "default rate \(rate)"
        case .seek(let target, .exact, .exact): "seek to \(target) s"
        case .seek(let target, let before, let after): "seek to \(target) s (before: \(before), after: \(after))"
        case .cancelSeeks: "cancel seeks"
        case .scan(let speed, let isBackward): "scan \(isBackward ? "backward " : "")at \(speed)"
        case .endScan: "end scan"
        case .endAction(let action): "end action \(action.rawValue)"
        case .minimizeStalls(let value): "minimize stalls: \(value)"
        case .video(let value): "video: \(value)"
        case .layer(let value): value ? "attach the layer" : "detach the layer"
        case .peakBitrate(let rate): "peak bitrate \(rate)"
        case .forwardBuffer(let length): "forward buffer \(length) s"
        }
    }
}

extension PlayerAct.Items: CustomStringConvertible {
    package var description: String {
        let what = url ?? rendition.rawValue
        return count.map { "\($0) times \(what)" } ?? what
    }
}

extension PlayerAct.Place: CustomStringConvertible {
    package var description: String {
        switch self {
        case .current: "current"
        case .last: "last"
        case .removed: "removed"
        case .nth(let number): "\(number)"
        }
    }
}

extension PlayerAct.Tolerance: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exact: "exact"
        case .any: "any"
        case .seconds(let seconds): "\(seconds) s"
        }
    }
}
