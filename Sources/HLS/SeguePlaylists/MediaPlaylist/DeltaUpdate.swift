/// What was left out at the front of a delta update (`EXT-X-SKIP`; RFC 8216bis, 4.4.5.2).
public struct PlaylistSkip: Sendable, Hashable {
    /// For how many of the segments after those that were left out, the one being made included, nothing was said.
    ///
    /// What holds for them then is what held for the last segment that was left out. One more than there are segments
    /// says that nothing was said at all.
    public struct Inheritance: Sendable, Hashable {
        /// Without an `EXT-X-MAP`.
        public var map = 0
        /// With an `EXT-X-MAP`, or none, to which the keys of before hold.
        public var mapKeys = 0
        /// Without an `EXT-X-KEY`.
        public var keys = 0
        /// Without an `EXT-X-BITRATE`.
        public var bitrate = 0
        /// With byte ranges that count from the end of the last one that was left out.
        public var ranges = 0

        /// Everything was said.
        public init() {}
    }

    /// How many segments were left out.
    public var segments: Int

    /// The IDs of date ranges that have gone lately; nil where all date ranges are in the update.
    public var recentlyRemovedDateRanges: [String]?

    /// What the segments that follow have from those that were left out.
    public var inherited: Inheritance

    /// Something left out.
    ///
    /// - Parameters:
    ///   - segments: How many segments were left out.
    ///   - recentlyRemovedDateRanges: The IDs of date ranges that have gone lately; nil where all date ranges are in
    ///     the update.
    ///   - inherited: What the segments that follow have from those that were left out.
    public init(
        segments: Int,
        recentlyRemovedDateRanges: [String]? = nil,
        inherited: Inheritance = Inheritance()
    ) {
        self.segments = segments
        self.recentlyRemovedDateRanges = recentlyRemovedDateRanges
        self.inherited = inherited
    }
}

/// Why a delta update does not fit the playlist before it; the whole playlist is to be loaded then.
public enum DeltaUpdateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The playlist before is itself an update.
    case formerIsDelta
    /// Segments were left out that the playlist before has not.
    case segmentsMissing(first: Int, last: Int)
    /// A byte range continues one of another resource, or none.
    case rangeMissing(segment: Int)

    /// What does not fit.
    public var description: String {
        switch self {
        case .formerIsDelta: "a delta update cannot be applied to another"
        case .segmentsMissing(let first, let last):
            "the delta update leaves out segments \(first) to \(last), which are not all in the playlist before it"
        case .rangeMissing(let segment):
            "the byte range of segment \(segment) has no offset, and the last segment left out has no range before it"
        }
    }
}

extension MediaPlaylist {
    /// The whole playlist that a delta update and the playlist before it make (RFC 8216bis, 6.3.7).
    ///
    /// - Parameter former: The playlist that was had before, whole.
    /// - Returns: What the server would have sent had it left out nothing; the playlist itself when it is no update.
    /// - Throws: ``DeltaUpdateError`` where what was left out is not in the playlist before.
    public func applied(to former: MediaPlaylist) throws(DeltaUpdateError) -> MediaPlaylist {
        guard let skip else { return self }
        guard former.skip == nil else { throw .formerIsDelta }
        let first = mediaSequence - former.mediaSequence
        guard skip.segments >= 0, first >= 0, first <= former.segments.count,
            skip.segments <= former.segments.count - first
        else { throw .segmentsMissing(first: mediaSequence, last: firstListedSequence - 1) }
        var kept = Array(former.segments[first..<first + skip.segments])
        // The parts of segments so old are listed no longer.
        for index in kept.indices { kept[index].parts = [] }
        var whole = self
        whole.skip = nil
        if let base = kept.last { try whole.inherit(skip.inherited, from: base, kept) }
        whole.segments = kept + whole.segments
        whole.dateRanges = dateRanges(after: former.dateRanges, skip)
        return whole
    }

    private mutating func inherit(
        _ inherited: PlaylistSkip.Inheritance,
        from base: MediaSegment,
        _ kept: [MediaSegment]
    ) throws(DeltaUpdateError) {
        let bitrate = kept.last { $0.bitrate != nil }?.bitrate
        for index in segments.indices {
            if index < inherited.map {
                segments[index].map = base.map
            } else if index < inherited.mapKeys {
                segments[index].map?.keys = base.keys
            }
            if index < inherited.keys { segments[index].keys = base.keys }
            if index < inherited.bitrate, segments[index].byteRange == nil { segments[index].bitrate = bitrate }
            guard index < inherited.ranges, let range = segments[index].byteRange else { continue }
            guard base.uri == segments[index].uri, let before = base.byteRange,
                case let (end, overflows) = before.offset.addingReportingOverflow(before.length), !overflows,
                case let (offset, isBeyond) = end.addingReportingOverflow(range.offset), !isBeyond, offset <= 1 << 53
            else { throw .rangeMissing(segment: mediaSequence + kept.count + index) }
            segments[index].byteRange?.offset = offset
        }
        guard open != nil else { return }
        if segments.count < inherited.map {
            open?.map = base.map
        } else if segments.count < inherited.mapKeys {
            open?.map?.keys = base.keys
        }
        if segments.count < inherited.keys { open?.keys = base.keys }
    }

    /// The date ranges of before that have not gone, with what the update adds; where both say something, the update.
    private func dateRanges(after former: [DateRange], _ skip: PlaylistSkip) -> [DateRange] {
        guard let removed = skip.recentlyRemovedDateRanges else { return dateRanges.filter { $0.startDate != nil } }
        let gone = Set(removed)
        var ranges = former.filter { !gone.contains($0.id) }
        let places = Dictionary(ranges.enumerated().map { ($1.id, $0) }) { first, _ in first }
        for range in dateRanges {
            if let place = places[range.id] {
                var merged = range
                merged.add(ranges[place])
                merged.position = ranges[place].position
                ranges[place] = merged
            } else if range.startDate != nil {
                ranges.append(range)
            }
        }
        return ranges
    }
}
