internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// What a live playlist says of the parts at its end, for players that take them.
struct PartTimeline: Sendable {
    /// What is said to come next.
    struct Hint: Sendable, Equatable {
        let url: String
        let range: FetchRange?

        /// The same as the address of an initialization section.
        var address: MapAddress { MapAddress(url: url, range: range) }
    }

    /// The parts of a segment, by its number: those of the one that is being made, and of some before it.
    fileprivate(set) var parts: [Int: [SegmentTimeline.Slot]] = [:]

    /// Where the last part ends; nil where no part is behind the last segment.
    fileprivate(set) var end: Duration?

    /// An upper bound of the parts' durations.
    fileprivate(set) var target = Duration.zero

    /// How far from the end players stay.
    fileprivate(set) var holdBack = Duration.zero

    /// The part that is said to come next; nil where nothing is said.
    fileprivate(set) var hint: Hint?

    /// The initialization section that is said to be needed soon; nil where nothing is said.
    fileprivate(set) var mapHint: Hint?
}

/// What a live playlist offers to those who load it again.
struct ReloadOffer: Sendable {
    /// Whether an answer may wait for news.
    var blocks = false

    /// How old what is known may be for an update to be asked for; nil where there are none.
    var updatesWithin: Duration?

    /// Whether updates may leave out date ranges (`CAN-SKIP-DATERANGES`).
    var skipsDateRanges = false

    /// How far other playlists have come, by address.
    var reports: [String: DeliveryDirectives.Place] = [:]
}

/// The parts of a timeline.
extension SegmentTimeline {
    /// How small the times of a playlist may be taken for: a server that says less is not asked more often.
    static let leastPart = Duration.milliseconds(20)

    /// A part by its segment's number and its own; nil where it is not there.
    func part(_ number: Int, _ index: Int) -> Slot? {
        guard let all = partTimeline?.parts[number], all.indices.contains(index) else { return nil }
        return all[index]
    }

    /// How many parts of a segment are named; none where it is too old, or they are of no use.
    func partCount(_ number: Int) -> Int { partTimeline?.parts[number]?.count ?? 0 }

    /// Where what is named ends, parts included.
    var edge: Duration { partTimeline?.end ?? end }

    /// Where loading begins for a position: the segment, and its part.
    ///
    /// Of parts only those can be begun with that do not need others.
    func place(at position: Duration) -> (number: Int, part: Int) {
        var number = segment(at: position)
        guard let partTimeline else { return (number, 0) }
        if position >= end, partTimeline.parts[upper] != nil { number = upper }
        while number >= first, let parts = partTimeline.parts[number] {
            let fitting = parts.indices.last { parts[$0].isIndependent && parts[$0].start <= position }
            if let fitting { return (number, fitting) }
            // A segment begins with what can be decoded.
            if number < upper { return (number, 0) }
            number -= 1
        }
        return (max(first, number), 0)
    }

    /// What of a playlist is for players that take parts; to be called when its segments are there.
    mutating func takeLowLatency(_ playlist: MediaPlaylist, from url: String) throws(PlaybackError) {
        guard isLowLatency, !isEnded else {
            return (partTimeline, offer, statedHoldBack) = (nil, ReloadOffer(), nil)
        }
        let control = playlist.serverControl ?? ServerControl()
        offer.blocks = control.canBlockReload
        offer.updatesWithin = control.canSkipUntil.map { Duration($0) / 2 }
        offer.skipsDateRanges = control.canSkipDateRanges
        offer.reports = [:]
        for report in playlist.renditionReports where control.canBlockReload {
            let sequence = report.lastMSN ?? playlist.nextSequence - (playlist.openParts.isEmpty ? 1 : 0)
            guard sequence <= 1 << 53 else { continue }
            let part = report.lastPart ?? (report.lastMSN == nil ? playlist.openParts.indices.last : nil)
            offer.reports[URIReference.resolve(report.uri, against: url)] = .init(sequence: sequence, part: part)
        }
        partTimeline = try parts(of: playlist, control, from: url)
        statedHoldBack = partTimeline?.holdBack ?? control.holdBack.map { max(Duration($0), targetDuration * 3) }
    }

    /// The parts of a playlist; nil where it has none that can be followed.
    ///
    /// Whether a playlist has news of parts can only be waited for: where the server does not answer late, loading it again
    /// once in a target duration brings no part in time.
    private func parts(
        of playlist: MediaPlaylist,
        _ control: ServerControl,
        from url: String
    ) throws(PlaybackError) -> PartTimeline? {
        guard control.canBlockReload, let target = playlist.partTarget, let holdBack = control.partHoldBack else {
            return nil
        }
        let base = URIReference.Base(url)
        var result = PartTimeline()
        result.target = max(Duration(target), SegmentTimeline.leastPart)
        result.holdBack = max(Duration(holdBack), result.target * 2)
        for (index, segment) in playlist.segments.enumerated() where !segment.parts.isEmpty {
            let number = playlist.mediaSequence + index - origin
            guard number >= first, number < upper else { continue }
            let whole = slot(number)
            result.parts[number] = try slots(of: segment.parts, from: whole.start, base, url) {
                uri,
                range,
                start,
                end in
                whole.part(uri, range, start, end)
            }
        }
        if let open = playlist.open, !open.parts.isEmpty {
            let mapKey = try SegmentKey(open.map?.keys ?? [], sequence: nil, from: url, encryption)
            let key = try SegmentKey(open.keys, sequence: playlist.nextSequence, from: url, encryption)
            let last = slots[slots.count - 1]
            let parts = try slots(of: open.parts, from: end, base, url) { uri, range, start, end in
                Slot(
                    uri: uri,
                    base: base,
                    initialization: open.map,
                    range: range,
                    mapKey: mapKey,
                    key: key,
                    start: start,
                    end: end,
                    discontinuity: last.discontinuity + (open.startsDiscontinuity ? 1 : 0),
                    startsDiscontinuity: open.startsDiscontinuity && start == last.end,
                    isGap: false,
                    isPart: true
                )
            }
            result.parts[upper] = parts
            result.end = parts.last?.end
        }
        result.hint = hint(.part, of: playlist, base)
        result.mapHint = hint(.map, of: playlist, base)
        return result
    }

    /// The first hint of a kind (RFC 8216bis, 4.4.5.3 and 6.3.8); nil where it is of no use.
    ///
    /// A hint to all the rest of a resource is for those who can take parts out of an answer while it comes.
    private func hint(
        _ kind: PreloadHint.Kind,
        of playlist: MediaPlaylist,
        _ base: URIReference.Base
    ) -> PartTimeline.Hint? {
        guard let hint = playlist.preloadHints.first(where: { $0.kind == kind }),
            hint.byteRangeLength.map({ $0 > 0 }) ?? (hint.byteRangeStart == 0)
        else { return nil }
        let range = hint.byteRangeLength.map { FetchRange(offset: hint.byteRangeStart, length: $0) }
        return PartTimeline.Hint(url: base.resolve(hint.uri), range: range)
    }

    private func slots(
        of parts: [PartialSegment],
        from start: Duration,
        _ base: URIReference.Base,
        _ url: String,
        _ make: (String, FetchRange?, Duration, Duration) -> Slot
    ) throws(PlaybackError) -> [Slot] {
        var length = Rational.zero
        var result: [Slot] = []
        result.reserveCapacity(parts.count)
        for part in parts {
            let begin = start + Duration(length)
            length += part.duration
            guard length < SegmentTimeline.longest else { throw SegmentTimeline.tooLong(url) }
            let range = part.byteRange.map(FetchRange.init)
            var slot = make(part.uri, range, begin, start + Duration(length))
            (slot.isGap, slot.isIndependent) = (part.isGap, part.isIndependent)
            result.append(slot)
        }
        return result
    }

    /// What is offered is not kept to: from now on this is a live playlist like any other.
    mutating func abandonLowLatency() {
        isLowLatency = false
        (partTimeline, offer, statedHoldBack) = (nil, ReloadOffer(), nil)
    }
}

extension SegmentTimeline.Slot {
    /// A part of this segment.
    fileprivate func part(_ uri: String, _ range: FetchRange?, _ start: Duration, _ end: Duration) -> Self {
        Self(
            uri: uri,
            base: base,
            initialization: initialization,
            range: range,
            mapKey: mapKey,
            key: key,
            start: start,
            end: end,
            discontinuity: discontinuity,
            startsDiscontinuity: startsDiscontinuity && start == self.start,
            isGap: isGap,
            isPart: true
        )
    }
}
