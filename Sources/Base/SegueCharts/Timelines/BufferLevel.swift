/// The media ahead of each item's playhead, computed from loaded segments and the playhead's movement.
struct BufferLevel {
    private struct Item {
        /// The loaded range of each stream, without gaps.
        var streams: [String: ClosedRange<Double>] = [:]
        var position = 0.0
        var since: Double?
    }

    /// The playback rate of the playing item.
    var rate = 1.0

    private var items: [String: Item] = [:]

    /// The gap in seconds up to which segments count as adjacent: playlists round durations.
    private static let slack = 0.05

    /// Adds a loaded segment.
    mutating func load(_ name: String, stream: String, from start: Double, to end: Double, at: Double) {
        let position = position(of: name, at: at)
        let known = items[name]?.streams[stream]
        let joins = known.map { start >= $0.lowerBound && start <= $0.upperBound + BufferLevel.slack } ?? false
        let range = joins ? (known?.lowerBound ?? start)...max(end, known?.upperBound ?? end) : start...max(start, end)
        // Media behind the playhead no longer counts.
        let low = min(max(range.lowerBound, min(position, range.upperBound)), range.upperBound)
        items[name, default: Item()].streams[stream] = low...range.upperBound
        // An item that starts at a position loads from there.
        if items[name]?.since == nil, known == nil, position < start { items[name]?.position = start }
    }

    /// Moves the playhead from a position at the playback rate.
    mutating func play(_ name: String, from position: Double, at: Double) {
        items[name, default: Item()].position = position
        items[name]?.since = at
    }

    /// Stops the playhead at a position.
    mutating func move(_ name: String, to position: Double, at: Double) {
        items[name, default: Item()].position = position
        items[name]?.since = nil
    }

    /// The level of an item as points of a graph; empty without an item.
    func points(at: Double, item name: String?) -> [RunTimeline.Point] {
        guard let name, let item = items[name] else { return [RunTimeline.Point(at: at, value: 0)] }
        let position = position(of: name, at: at)
        let ends = item.streams.values.map { range in
            position < range.lowerBound - 6 * BufferLevel.slack ? position : range.upperBound
        }
        return [RunTimeline.Point(at: at, value: max(0, (ends.min() ?? position) - position))]
    }

    private func position(of name: String, at: Double) -> Double {
        guard let item = items[name] else { return 0 }
        return item.position + (item.since.map { (at - $0) * max(rate, 0) } ?? 0)
    }
}
