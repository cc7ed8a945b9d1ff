package import SegueData
internal import SegueEvents

extension PlayerAct {
    /// The name of an act in a file.
    package enum Verb: String, CaseIterable {
        case open, insert, remove
        case insertAgain = "insert-again"
        case removeAll = "remove-all"
        case advance, play, pause
        case playImmediately = "play-immediately"
        case rate
        case defaultRate = "default-rate"
        case seek
        case cancelSeeks = "cancel-seeks"
        case scan
        case endScan = "end-scan"
        case endAction = "end-action"
        case minimizeStalls = "minimize-stalls"
        case peakBitrate = "peak-bitrate"
        case forwardBuffer = "forward-buffer"
        case video
        case detachLayer = "detach-layer"
        case attachLayer = "attach-layer"
    }

    /// A rendition to open.
    private enum Opened: String, CaseIterable {
        case full, background
    }

    /// Reads the values of an act.
    ///
    /// - Parameters:
    ///   - entry: The mapping that names it.
    ///   - names: The names that expressions may use.
    /// - Returns: The act.
    /// - Throws: `HarnessError` with file, line, and key.
    package static func read(_ verb: Verb, in entry: inout HarnessFields, names: Set<String>)
        throws(HarnessError) -> Self
    {
        switch verb {
        case .open: return .open(try items(&entry))
        case .insert:
            let items = try items(&entry)
            return .insert(items, after: try place("behind", &entry) ?? .last)
        case .remove: return .remove(try place("which", &entry) ?? .current)
        case .insertAgain: return .insertAgain(try place("which", &entry) ?? .current)
        case .removeAll: return .removeAll
        case .advance: return .advance
        case .play: return .play
        case .pause: return .pause
        case .playImmediately: return .playImmediately
        case .rate: return .rate(try entry.requiredRate("to", names: names))
        case .defaultRate: return .defaultRate(try entry.requiredRate("to", names: names))
        case .seek:
            let target = try entry.requiredExpression("to", names: names)
            let both = try tolerance("tolerance", in: &entry, names: names)
            let before = try tolerance("tolerance-before", in: &entry, names: names) ?? both ?? .exact
            let after = try tolerance("tolerance-after", in: &entry, names: names) ?? both ?? .exact
            return .seek(target, before: before, after: after)
        case .cancelSeeks: return .cancelSeeks
        case .scan:
            let speed = try entry.requiredExpression("to", names: names)
            if let value = speed.constant, !ItemScanner.speeds.contains(value) {
                throw entry.error("to", "must be a rate \(PlayerAct.scanSpeeds)")
            }
            var probe = entry
            let isBackward = try probe.text("backward") == nil ? false : flag("backward", &entry)
            return .scan(speed, isBackward: isBackward)
        case .endScan: return .endScan
        case .endAction:
            guard let action = try entry.word("is", of: EndAction.self) else {
                throw entry.error("is", "is missing")
            }
            return .endAction(action)
        case .minimizeStalls: return .minimizeStalls(try flag("is", &entry))
        case .peakBitrate: return .peakBitrate(try entry.requiredExpression("to", names: names))
        case .forwardBuffer: return .forwardBuffer(try entry.requiredExpression("to", names: names))
        case .video: return .video(try flag("is", &entry))
        case .detachLayer: return .layer(false)
        case .attachLayer: return .layer(true)
        }
    }

    /// The valid scan rates, as text.
    static var scanSpeeds: String {
        "from \(Int(ItemScanner.speeds.lowerBound)) to \(Int(ItemScanner.speeds.upperBound))"
    }

    private static func items(_ entry: inout HarnessFields) throws(HarnessError) -> Items {
        var items = Items()
        if try entry.word("rendition", of: Opened.self) == .background { items.rendition = .background }
        items.count = try entry.integer("items", in: 1...100)
        items.url = try entry.text("url")
        return items
    }

    private static func place(_ key: String, _ entry: inout HarnessFields) throws(HarnessError) -> Place? {
        guard let text = try entry.text(key) else { return nil }
        switch text {
        case "current": return .current
        case "last": return .last
        case "removed": return .removed
        default:
            guard let number = Int(text), number >= 1 else {
                throw entry.error(key, "is \(text), must be current, last, or a place in the queue, from 1")
            }
            return .nth(number)
        }
    }

    private static func tolerance(_ key: String, in entry: inout HarnessFields, names: Set<String>)
        throws(HarnessError) -> Tolerance?
    {
        var probe = entry
        switch try probe.text(key) {
        case nil: return nil
        case "exact":
            entry = probe
            return .exact
        case "any":
            entry = probe
            return .any
        default: return try entry.optionalExpression(key, names: names).map { .seconds($0) }
        }
    }

    /// Reads a switch, which is on or off.
    package static func flag(_ key: String, _ entry: inout HarnessFields) throws(HarnessError) -> Bool {
        switch try entry.text(key) {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        case nil: throw entry.error(key, "is missing")
        case let text?: throw entry.error(key, "is \(text), must be on or off")
        }
    }
}
