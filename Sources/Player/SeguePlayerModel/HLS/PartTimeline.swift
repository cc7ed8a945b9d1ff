internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// The parts at the end of a live playlist, for players that support them.
struct PartTimeline: Sendable {
    /// A hint about a future resource.
    struct Hint: Sendable, Equatable {
        let url: String
        let range: FetchRange?

        /// The same as the address of an initialization section.
        var address: MapAddress { MapAddress(url: url, range: range) }
    }

    /// The parts by segment number: those of the segment in progress, and of some before it.
    private(set) var segments: [Int: [SegmentTimeline.Slot]] = [:]

    /// The end of the last part; nil if no part follows the last segment.
    private(set) var end: Duration?

    /// The maximum duration of parts.
    let target: Duration

    /// The distance from the end at which players stay.
    let holdBack: Duration

    /// The hinted part, if any.
    let hint: Hint?

    /// The hinted initialization section, if any.
    let mapHint: Hint?

    /// The minimum part duration: a smaller one does not lead to more frequent requests.
    static let leastPart = Duration.milliseconds(20)

    /// The parts of a playlist; nil if it has none that can be followed.
    ///
    /// Without blocking reloads, a reload once per target duration would find no part in time.
    init?(_ playlist: MediaPlaylist, in timeline: SegmentTimeline, from url: String) throws(PlaybackError) {
        guard let control = playlist.serverControl, control.canBlockReload, let target = playlist.partTarget,
            let holdBack = control.partHoldBack
        else { return nil }
        let base = URIReference.Base(url)
        self.target = max(Duration(target), PartTimeline.leastPart)
        self.holdBack = max(Duration(holdBack), self.target * 2)
        hint = PartTimeline.hint(.part, of: playlist, base)
        mapHint = PartTimeline.hint(.map, of: playlist, base)
        for (index, segment) in playlist.segments.enumerated() where !segment.parts.isEmpty {
            let number = playlist.mediaSequence + index - timeline.origin
            guard number >= timeline.first, number < timeline.upper else { continue }
            segments[number] = try timeline.slot(number).slots(of: segment.parts, url)
        }
        guard let open = playlist.open, !open.parts.isEmpty else { return }
        let (end, keys) = (timeline.end, timeline.encryption)
        let whole = SegmentTimeline.Slot(
            uri: "",
            base: base,
            initialization: open.map,
            range: nil,
            mapKey: try SegmentKey(open.map?.keys ?? [], sequence: nil, from: url, keys),
            key: try SegmentKey(open.keys, sequence: playlist.nextSequence, from: url, keys),
            start: end,
            end: end,
            discontinuity: timeline.slot(timeline.upper - 1).discontinuity + (open.startsDiscontinuity ? 1 : 0),
            startsDiscontinuity: open.startsDiscontinuity,
            isGap: false
        )
        let parts = try whole.slots(of: open.parts, url)
        segments[timeline.upper] = parts
        self.end = parts.last?.end
    }

    /// Returns the first usable hint of a type (RFC 8216bis, 4.4.5.3 and 6.3.8).
    ///
    /// A hint at the whole rest of a resource requires players to split a response into parts as it arrives.
    private static func hint(
        _ kind: PreloadHint.Kind,
        of playlist: MediaPlaylist,
        _ base: URIReference.Base
    ) -> Hint? {
        guard let hint = playlist.preloadHints.first(where: { $0.kind == kind }),
            hint.byteRangeLength.map({ $0 > 0 }) ?? (hint.byteRangeStart == 0)
        else { return nil }
        let range = hint.byteRangeLength.map { FetchRange(offset: hint.byteRangeStart, length: $0) }
        return Hint(url: base.resolve(hint.uri), range: range)
    }
}

/// The offers of a live playlist for its reloads.
struct ReloadOffer: Sendable {
    /// True if the response can wait for changes.
    var blocks = false

    /// The maximum age of the known version for a delta update; nil without such updates.
    var updatesWithin: Duration?

    /// True if delta updates can skip date ranges (`CAN-SKIP-DATERANGES`).
    var skipsDateRanges = false

    /// The reported ends of other playlists, by URL.
    var reports: [String: DeliveryDirectives.Place] = [:]
}

extension ReloadOffer {
    init(_ playlist: MediaPlaylist, from url: String) {
        guard let control = playlist.serverControl else { return }
        blocks = control.canBlockReload
        updatesWithin = control.canSkipUntil.map { Duration($0) / 2 }
        skipsDateRanges = control.canSkipDateRanges
        for report in playlist.renditionReports where blocks {
            let sequence = report.lastMSN ?? playlist.nextSequence - (playlist.openParts.isEmpty ? 1 : 0)
            guard sequence <= 1 << 53 else { continue }
            let part = report.lastPart ?? (report.lastMSN == nil ? playlist.openParts.indices.last : nil)
            reports[URIReference.resolve(report.uri, against: url)] = .init(sequence: sequence, part: part)
        }
    }
}

/// The low-latency features of a live playlist.
struct LowLatencyState: Sendable {
    /// True if the platform uses parts, and the server has honored its offers.
    let isUsed: Bool

    /// The parts at the end; nil if there are none, or they are not used.
    private(set) var parts: PartTimeline?

    /// The offers of the server for reloads.
    private(set) var offer = ReloadOffer()

    /// The hold-back that the server states; nil if there is none, or it is ignored.
    private(set) var holdBack: Duration?

    init(isUsed: Bool) { self.isUsed = isUsed }

    /// The features of a playlist, whose complete segments are in a timeline.
    init(_ playlist: MediaPlaylist, in timeline: SegmentTimeline, from url: String) throws(PlaybackError) {
        isUsed = true
        offer = ReloadOffer(playlist, from: url)
        parts = try PartTimeline(playlist, in: timeline, from: url)
        let stated = playlist.serverControl?.holdBack.map { max(Duration($0), timeline.targetDuration * 3) }
        holdBack = parts?.holdBack ?? stated
    }
}

/// The parts of a timeline.
extension SegmentTimeline {
    /// Returns a part by the number of its segment and its index.
    func part(_ number: Int, _ index: Int) -> Slot? {
        guard let all = lowLatency.parts?.segments[number], all.indices.contains(index) else { return nil }
        return all[index]
    }

    /// Returns the number of listed parts of a segment; 0 if it is too old, or parts are not used.
    func partCount(_ number: Int) -> Int { lowLatency.parts?.segments[number]?.count ?? 0 }

    /// The end of the playlist, including parts.
    var edge: Duration { lowLatency.parts?.end ?? end }

    /// Returns the segment and the part at which loading begins for a position.
    ///
    /// It begins only at parts that do not depend on others.
    func place(at position: Duration) -> (number: Int, part: Int) {
        var number = segment(at: position)
        guard let parts = lowLatency.parts else { return (number, 0) }
        if position >= end, parts.segments[upper] != nil { number = upper }
        while number >= first, let parts = parts.segments[number] {
            let fitting = parts.indices.last { parts[$0].isIndependent && parts[$0].start <= position }
            if let fitting { return (number, fitting) }
            // A segment begins with an independent frame.
            if number < upper { return (number, 0) }
            number -= 1
        }
        return (max(first, number), 0)
    }

    /// Reads the low-latency features of a playlist, after its segments.
    mutating func readLowLatency(_ playlist: MediaPlaylist, from url: String) throws(PlaybackError) {
        let isUsed = lowLatency.isUsed
        lowLatency = isUsed && !isEnded ? try .init(playlist, in: self, from: url) : .init(isUsed: isUsed)
    }

    /// Handles a broken offer: from now on, this is an ordinary live playlist.
    mutating func abandonLowLatency() { lowLatency = LowLatencyState(isUsed: false) }
}

extension SegmentTimeline.Slot {
    fileprivate func slots(of parts: [PartialSegment], _ url: String) throws(PlaybackError) -> [Self] {
        var length = Rational.zero
        var result: [Self] = []
        result.reserveCapacity(parts.count)
        for part in parts {
            let begin = start + Duration(length)
            length += part.duration
            guard length < SegmentTimeline.longest else { throw SegmentTimeline.tooLong(url) }
            result.append(self.part(part, from: begin, to: start + Duration(length)))
        }
        return result
    }

    private func part(_ part: PartialSegment, from start: Duration, to end: Duration) -> Self {
        Self(
            uri: part.uri,
            base: base,
            initialization: initialization,
            range: part.byteRange.map(FetchRange.init),
            mapKey: mapKey,
            key: key,
            start: start,
            end: end,
            discontinuity: discontinuity,
            startsDiscontinuity: startsDiscontinuity && start == self.start,
            isGap: part.isGap,
            isPart: true,
            isIndependent: part.isIndependent
        )
    }
}
