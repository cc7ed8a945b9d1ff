package import SegueBase

/// The skipped part at the start of a delta update (`EXT-X-SKIP`; rfc8216bis, 4.4.5.2).
public struct PlaylistSkip: Sendable, Hashable {
    /// For each kind of tag, the number of segments after the skipped ones, including the open one, that precede its
    /// first occurrence.
    ///
    /// The state of the last skipped segment applies to them. A count of all segments plus one means that the tag never
    /// occurs.
    public struct Inheritance: Sendable, Hashable {
        /// Segments before the first `EXT-X-MAP`.
        public var map = 0
        /// Segments whose `EXT-X-MAP` uses the keys of the skipped part.
        public var mapKeys = 0
        /// Segments before the first `EXT-X-KEY`.
        public var keys = 0
        /// Segments before the first `EXT-X-BITRATE`.
        public var bitrate = 0
        /// Segments whose byte ranges continue the last skipped one.
        public var ranges = 0

        /// No inherited tags.
        public init() {}
    }

    /// The number of skipped segments.
    public var segments: Int

    /// The IDs of recently removed date ranges; nil if the update has all date ranges.
    public var recentlyRemovedDateRanges: [String]?

    /// The tags that the following segments inherit from the skipped ones.
    public var inherited: Inheritance

    /// A skipped part.
    ///
    /// - Parameters:
    ///   - segments: The number of skipped segments.
    ///   - recentlyRemovedDateRanges: The IDs of recently removed date ranges; nil if the update has all date ranges.
    ///   - inherited: The tags that the following segments inherit from the skipped ones.
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

/// The reason why a delta update does not fit the previous playlist.
///
/// The client must then load the whole playlist.
public enum DeltaUpdateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The previous playlist is a delta update itself.
    case formerIsDelta
    /// The previous playlist does not have all skipped segments.
    case segmentsMissing(first: Int, last: Int)
    /// A byte range continues another resource, or no range.
    case rangeMissing(segment: Int)

    /// The reason as text.
    public var description: String { message.text }

    /// The reason with its numbers.
    package var message: Message {
        switch self {
        case .formerIsDelta: "a delta update cannot be applied to another delta update"
        case .segmentsMissing(let first, let last):
            "the delta update skips segments \(first) to \(last), which the previous playlist does not have completely"
        case .rangeMissing(let segment):
            "the byte range of segment \(segment) has no offset, and the last skipped segment has no range"
        }
    }
}

extension MediaPlaylist {
    /// Applies a delta update to the previous playlist (rfc8216bis, 6.3.7).
    ///
    /// - Parameter former: The previous whole playlist.
    /// - Returns: The whole playlist; the same playlist if it is not a delta update.
    /// - Throws: ``DeltaUpdateError`` if the previous playlist does not have the skipped segments.
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

    /// Returns the previous date ranges that were not removed, merged with the update, whose values win.
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
