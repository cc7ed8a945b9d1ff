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
    fileprivate(set) var parts: [Int: [SegmentTimeline.Slot]] = [:]

    /// The end of the last part; nil if no part follows the last segment.
    fileprivate(set) var end: Duration?

    /// The maximum duration of parts.
    fileprivate(set) var target = Duration.zero

    /// The distance from the end at which players stay.
    fileprivate(set) var holdBack = Duration.zero

    /// The hinted part, if any.
    fileprivate(set) var hint: Hint?

    /// The hinted initialization section, if any.
    fileprivate(set) var mapHint: Hint?
}

/// The offers of a live playlist for its reloads.
struct ReloadOffer: Sendable {
    /// Whether the response can wait for changes.
    var blocks = false

    /// The maximum age of the known version for a delta update; nil without such updates.
    var updatesWithin: Duration?

    /// Whether delta updates can skip date ranges (`CAN-SKIP-DATERANGES`).
    var skipsDateRanges = false

    /// The reported ends of other playlists, by URL.
    var reports: [String: DeliveryDirectives.Place] = [:]
}

/// The parts of a timeline.
extension SegmentTimeline {
    /// The minimum part duration: a smaller one does not lead to more frequent requests.
    static let leastPart = Duration.milliseconds(20)

    /// Returns a part by the number of its segment and its index.
    func part(_ number: Int, _ index: Int) -> Slot? {
        guard let all = partTimeline?.parts[number], all.indices.contains(index) else { return nil }
        return all[index]
    }

    /// Returns the number of listed parts of a segment; 0 if it is too old, or parts are not used.
    func partCount(_ number: Int) -> Int { partTimeline?.parts[number]?.count ?? 0 }

    /// The end of the playlist, including parts.
    var edge: Duration { partTimeline?.end ?? end }

    /// Returns the segment and the part at which loading begins for a position.
    ///
    /// It begins only at parts that do not depend on others.
    func place(at position: Duration) -> (number: Int, part: Int) {
        var number = segment(at: position)
        guard let partTimeline else { return (number, 0) }
        if position >= end, partTimeline.parts[upper] != nil { number = upper }
        while number >= first, let parts = partTimeline.parts[number] {
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

    /// Returns the parts of a playlist; nil if it has none that can be followed.
    ///
    /// Without blocking reloads, a reload once per target duration would find no part in time.
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

    /// Returns the first usable hint of a type (RFC 8216bis, 4.4.5.3 and 6.3.8).
    ///
    /// A hint at the whole rest of a resource requires players to split a response into parts as it arrives.
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

    /// Handles a broken offer: from now on, this is an ordinary live playlist.
    mutating func abandonLowLatency() {
        isLowLatency = false
        (partTimeline, offer, statedHoldBack) = (nil, ReloadOffer(), nil)
    }
}

extension SegmentTimeline.Slot {
    /// Returns a part of this segment.
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
