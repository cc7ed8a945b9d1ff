/// How much media lies ahead of each item's playhead, worked out from the segments that came and the playhead's course.
struct BufferLevel {
    private struct Item {
        /// What is there of each stream, without a gap.
        var streams: [String: ClosedRange<Double>] = [:]
        var position = 0.0
        var since: Double?
    }

    /// How fast whatever plays is played.
    var rate = 1.0

    private var items: [String: Item] = [:]

    /// Segments that lie this close are neighbours: playlists round durations.
    private static let slack = 0.05

    /// A segment came.
    mutating func load(_ name: String, stream: String, from start: Double, to end: Double, at: Double) {
        let position = position(of: name, at: at)
        let known = items[name]?.streams[stream]
        let joins = known.map { start >= $0.lowerBound && start <= $0.upperBound + BufferLevel.slack } ?? false
        let range = joins ? (known?.lowerBound ?? start)...max(end, known?.upperBound ?? end) : start...max(start, end)
        // What lies behind the playhead is let go.
        let low = min(max(range.lowerBound, min(position, range.upperBound)), range.upperBound)
        items[name, default: Item()].streams[stream] = low...range.upperBound
        // An item that was made at a place begins to load there.
        if items[name]?.since == nil, known == nil, position < start { items[name]?.position = start }
    }

    /// The playhead runs from a place on.
    mutating func play(_ name: String, from position: Double, at: Double) {
        items[name, default: Item()].position = position
        items[name]?.since = at
    }

    /// The playhead stands at a place.
    mutating func move(_ name: String, to position: Double, at: Double) {
        items[name, default: Item()].position = position
        items[name]?.since = nil
    }

    /// The level of an item now, as points of a graph; of none, when there is no item.
    func points(at: Double, item name: String?) -> [RunStory.Point] {
        guard let name, let item = items[name] else { return [RunStory.Point(at: at, value: 0)] }
        let position = position(of: name, at: at)
        let ends = item.streams.values.map { range in
            position < range.lowerBound - 6 * BufferLevel.slack ? position : range.upperBound
        }
        return [RunStory.Point(at: at, value: max(0, (ends.min() ?? position) - position))]
    }

    private func position(of name: String, at: Double) -> Double {
        guard let item = items[name] else { return 0 }
        return item.position + (item.since.map { (at - $0) * max(rate, 0) } ?? 0)
    }
}
