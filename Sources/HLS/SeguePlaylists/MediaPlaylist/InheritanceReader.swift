/// Tracks the segments of a delta update that inherit tags from the skipped part.
struct InheritanceReader {
    private var map: Int?
    private var mapWithKeys: Int?
    private var keys: Int?
    private var bitrate: Int?
    private var ranges = 0

    mutating func readMap(before segment: Int) {
        if map == nil { map = segment }
        if keys != nil, mapWithKeys == nil { mapWithKeys = segment }
    }

    mutating func readKey(before segment: Int) { if keys == nil { keys = segment } }

    mutating func readBitrate(before segment: Int) { if bitrate == nil { bitrate = segment } }

    /// Notes a byte range without an offset; it counts if all earlier ranges lack one too.
    mutating func continueRange(of segment: Int) { if ranges == segment { ranges += 1 } }

    func finish(_ segments: Int) -> PlaylistSkip.Inheritance {
        let never = segments + 1
        var inherited = PlaylistSkip.Inheritance()
        inherited.map = map ?? never
        inherited.mapKeys = mapWithKeys ?? never
        inherited.keys = keys ?? never
        inherited.bitrate = bitrate ?? never
        inherited.ranges = ranges
        return inherited
    }
}
