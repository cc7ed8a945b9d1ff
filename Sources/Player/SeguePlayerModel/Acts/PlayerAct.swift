package import SegueEvents

/// Something that an app's code can do with its player: a step of a scenario, or what comes of an app's own rule.
package enum PlayerAct: Sendable, Equatable {
    /// Puts items at the end of the queue.
    case open(Items)
    case insert(Items, after: Place)
    case remove(Place)
    /// Tries to put an item into the queue that is there.
    case insertAgain(Place)
    case removeAll, advance, play, pause, playImmediately
    case rate(Expression), defaultRate(Expression)
    case seek(Expression, before: Tolerance, after: Tolerance)
    case cancelSeeks
    case scan(Expression, isBackward: Bool), endScan
    case endAction(EndAction)
    case minimizeStalls(Bool), video(Bool), layer(Bool)
    case peakBitrate(Expression), forwardBuffer(Expression)

    /// Which item of the queue, from the first.
    package enum Place: Sendable, Equatable {
        case current, last
        /// The one that left the queue last.
        case removed
        /// Counts from 1.
        case nth(Int)
    }

    /// What is put into the queue.
    package struct Items: Sendable, Equatable {
        /// Which rendition.
        package var rendition = ItemRendition.full
        /// How many, taken in turn from those that there are; nil for each of them once.
        package var count: Int?
        /// A reference, from the first item's playlist, to what is opened in their place; nil for none.
        package var url: String?
    }

    /// How far a seek may miss its target on one side.
    package enum Tolerance: Sendable, Equatable {
        case exact, any
        case seconds(Expression)
    }

    /// What happens at an item's end.
    package enum EndAction: String, Sendable, CaseIterable {
        case advance, pause, none
    }

    /// What it puts into the queue; nil where that is nothing new.
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
    /// So many of the whole.
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
