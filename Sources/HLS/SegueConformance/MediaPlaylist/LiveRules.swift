/// What is demanded of a stream for as long as it lasts; `LiveWatch` finds out whether it is kept.
package enum LiveRules {
    // MARK: How a playlist changes

    /// It can be had.
    package static let reload = Rule("live-reload", "R3, R4.1", .must, "a live playlist answers each reload")
    /// It can be read.
    package static let readable = Rule(
        "live-readable",
        "R4, R6.3.2",
        .must,
        "what is reloaded stays a playlist of its kind that a strict parser takes"
    )
    /// Its number does not fall.
    package static let sequence = Rule(
        "live-sequence",
        "R6.2.2, B6.2.2",
        .must,
        "the media sequence number never falls"
    )
    /// Its number grows by what went.
    package static let removed = Rule(
        "live-removed",
        "R6.2.2, B6.2.2",
        .must,
        "the media sequence number grows by exactly as many segments as were removed"
    )
    /// Segments come and go at its ends.
    package static let order = Rule(
        "live-order",
        "R6.2.1, R6.2.2, B6.2.1, B6.2.2",
        .must,
        "segments are added at the end and removed at the front alone"
    )
    /// Segments stay what they are.
    package static let segmentChanged = Rule(
        "live-segment-changed",
        "R6.2.1, B6.2.1, R6.3.4 should, B6.3.4 should",
        .must,
        "what is said of a segment stays as it is while it is listed"
    )
    /// Discontinuities stay what they are.
    package static let discontinuity = Rule(
        "live-discontinuity",
        "R6.2.2, B6.2.2",
        .must,
        "segments keep their discontinuity sequence number, which never falls"
    )
    /// The bound of durations stays.
    package static let target = Rule("live-target", "R6.2.1, B6.2.1", .must, "the target duration stays")
    /// The head stays.
    package static let header = Rule(
        "live-header",
        "R6.2.1, B6.2.1",
        .must,
        "the version and what is said of all segments stay"
    )
    /// The type stays.
    package static let type = Rule("live-type", "R6.2.1, B6.2.1", .must, "the playlist type stays")
    /// A type promises that nothing goes.
    package static let event = Rule(
        "live-event",
        "R6.2.1, R6.2.2, B6.2.1, B6.2.2",
        .must,
        "no segment is removed where the playlist has a type, and none is added where that is VOD"
    )
    /// What is left is long enough.
    package static let window = Rule(
        "live-window-least",
        "R6.2.2, B6.2.2",
        .must,
        "no segment is removed where less than three target durations would remain"
    )
    /// What is left is long enough for Apple.
    package static let six = Rule("live-six", "A8.11", .must, "a live playlist has six segments or more")
    /// The end is the end.
    package static let end = Rule(
        "live-end",
        "R6.2.1, B6.2.1",
        .must,
        "after #EXT-X-ENDLIST nothing is added, and it is not taken back"
    )

    // MARK: When it changes

    /// There is news in time.
    package static let news = Rule(
        "live-news",
        "R6.2.1, B6.2.1",
        .must,
        "a new segment is listed no later than one and a half target durations after the one before"
    )
    /// A server does not give out what is old.
    package static let lastModified = Rule(
        "live-last-modified",
        "A8.24",
        .should,
        "Last-Modified is no more than three target durations before Date"
    )
    /// A cache does not give out what is old.
    package static let cache = Rule(
        "live-cached-long",
        "own",
        .advice,
        "no cache keeps a live playlist for longer than a target duration"
    )
    /// A reload is quick.
    package static let slow = Rule(
        "live-slow",
        "own",
        .advice,
        "a reload that need not wait takes less than a target duration"
    )

    // MARK: Segments

    /// What is listed is there.
    package static let segmentThere = Rule(
        "live-segment-there",
        "R6.2.1, B6.2.1",
        .must,
        "a listed segment can be had at once"
    )
    /// What was listed stays a little.
    package static let segmentKept = Rule(
        "live-segment-kept",
        "R6.2.2, B6.2.2",
        .must,
        "a removed segment can be had until its duration and the longest playlist's have passed since it was first listed"
    )
    /// What was listed stays longer.
    package static let segmentKeptLong = Rule(
        "live-segment-kept-long",
        "R6.2.2",
        .must,
        "a removed segment can be had for its duration and the longest playlist's since it was removed"
    )
    /// Names come again when what they named may be gone.
    package static let segmentRepeated = Rule(
        "live-segment-repeated",
        "R6.2.2",
        .must,
        "no other segment comes under the URI of one that has to stay"
    )
    /// What is missing.
    package static let gap = Rule("live-gap", "own", .advice, "no segment is missing (#EXT-X-GAP)")
    /// What a player would do.
    package static let stall = Rule(
        "live-stall",
        "own",
        .advice,
        "a player that keeps the distance that the playlist asks for never stands still"
    )

    // MARK: Dates

    /// There are dates.
    package static let dateGiven = Rule(
        "live-date-given",
        "A8.4",
        .must,
        "a live playlist has #EXT-X-PROGRAM-DATE-TIME"
    )
    /// Dates do not come twice.
    package static let dateOverlap = Rule(
        "live-date-overlap",
        "B6.2.1",
        .must,
        "a segment's date is not a second or more before the end of the segment before it"
    )
    /// Dates do not leave out time.
    package static let dateJump = Rule(
        "live-date-jump",
        "own",
        .advice,
        "dates go on by what segments last, where no discontinuity is told"
    )
    /// Dates and durations agree in the long run.
    package static let dateDrift = Rule(
        "live-date-drift",
        "own",
        .advice,
        "dates and durations do not drift apart by a second"
    )
    /// Dates are those of the clock.
    package static let dateClock = Rule(
        "live-date-clock",
        "A8.5",
        .should,
        "the date of the end is not in the future, and not ten minutes past"
    )
    /// Date ranges stay while they are needed.
    package static let rangeKept = Rule(
        "live-range-kept",
        "R6.2.1, B6.2.1",
        .must,
        "a date range stays while one of its dates is that of a listed segment"
    )
    /// Date ranges stay what they are.
    package static let rangeChanged = Rule(
        "live-range-changed",
        "R4.3.2.7, R6.2.1, B4.4.5.1, B6.2.1",
        .must,
        "what was said of a date range stays"
    )

    // MARK: Renditions

    /// Variants are together.
    package static let inStep = Rule(
        "live-in-step",
        "R6.2.4, B6.2.4",
        .must,
        "no variant or rendition lacks more than a target duration of what another has"
    )
    /// Variants count alike.
    package static let sameDiscontinuities = Rule(
        "live-same-discontinuities",
        "R6.2.4, B6.2.4, A8.15",
        .must,
        "the same content has the same discontinuity sequence number in each variant and rendition"
    )

    // MARK: The multivariant playlist

    /// All that there is can be found.
    package static let listed = Rule(
        "live-listed",
        "R6.2.4, B6.2.4",
        .should,
        "a multivariant playlist lists each variant and rendition for as long as its media playlist goes on"
    )
    /// Names stay with what they name.
    package static let stableName = Rule(
        "live-stable-name",
        "B4.4.6.1, B4.4.6.2",
        .must,
        "STABLE-VARIANT-ID and STABLE-RENDITION-ID name the same content in each version and on each pathway"
    )
    /// What has moved has a name that stays.
    package static let moved = Rule(
        "live-moved",
        "own",
        .advice,
        "a variant or rendition whose URI changes keeps a STABLE-VARIANT-ID or STABLE-RENDITION-ID"
    )
    /// What is said stays.
    package static let variantChanged = Rule(
        "live-variant-changed",
        "own",
        .advice,
        "what a multivariant playlist says of the content of a media playlist stays"
    )

    // MARK: Low latency

    /// Parts stay what they are.
    package static let partChanged = Rule(
        "live-part-changed",
        "B6.2.1",
        .must,
        "parts are added at the end alone, and what is said of one stays"
    )
    /// Parts stay while they are needed.
    package static let partsRemoved = Rule(
        "live-parts-removed",
        "B6.2.2",
        .should,
        "parts are listed until they are three target durations from the end"
    )
    /// Parts go when they are not.
    package static let partsOld = Rule(
        "live-parts-old",
        "B6.2.2",
        .should,
        "parts are no longer listed when they are more than three target durations from the end"
    )
    /// Parts make the segment.
    package static let partSum = Rule("live-part-sum", "B3.2", .must, "the parts of a segment last as long as it")
    /// Parts are as long as is said.
    package static let partLength = Rule(
        "live-part-length",
        "B4.4.4.9",
        .must,
        "a part lasts no longer than the part target, and no less than 85 % of it but where it may"
    )
    /// Parts come in time.
    package static let partNews = Rule(
        "live-part-news",
        "B6.2.1",
        .must,
        "a new part is listed within a part target of the one before"
    )
    /// Parts are there.
    package static let partThere = Rule("live-part-there", "B6.2.1", .must, "a listed part can be had at once")
    /// Parts are those of their segment.
    package static let partBytes = Rule(
        "live-part-bytes",
        "B3.2, B6.2.1",
        .must,
        "the parts of a segment, as they are had when they are listed, have the samples of the segment"
    )
    /// Parts of one file lie beside each other.
    package static let partRanges = Rule(
        "live-part-ranges",
        "B3.2",
        .must,
        "the byte ranges of a segment's parts in one resource do not overlap"
    )
    /// Parts say where decoding may begin.
    package static let partIndependent = Rule(
        "live-part-independent",
        "B4.4.4.9",
        .should,
        "a part has INDEPENDENT=YES where it has a key frame, and there alone"
    )
    /// Hints come true.
    package static let hint = Rule(
        "live-hint",
        "B4.4.5.3",
        .must,
        "what #EXT-X-PRELOAD-HINT names is the next part that is listed"
    )
    /// Hints may be followed.
    package static let hintThere = Rule(
        "live-hint-there",
        "B6.2.6",
        .must,
        "what #EXT-X-PRELOAD-HINT names can be asked for, and is sent when it is there"
    )
    /// Reports are true.
    package static let report = Rule(
        "live-report",
        "B4.4.5.4",
        .must,
        "#EXT-X-RENDITION-REPORT says how far the other playlist has come"
    )
    /// Blocking reloads wait.
    package static let blockAnswer = Rule(
        "live-block-answer",
        "B6.2.5.2",
        .must,
        "a blocking reload is answered when what it waits for is there, or with an error"
    )
    /// Blocking reloads end.
    package static let blockEnd = Rule(
        "live-block-end",
        "B6.2.5.2",
        .should,
        "a blocking reload that waits in vain ends with 503 after three target durations"
    )
    /// Blocking reloads know how far they go.
    package static let blockAhead = Rule(
        "live-block-ahead",
        "B6.2.5.2",
        .should,
        "a blocking reload for a segment that is far ahead is answered with 400 at once"
    )
    /// Blocking reloads have a number.
    package static let blockPart = Rule(
        "live-block-part",
        "B6.2.5.2",
        .must,
        "_HLS_part without _HLS_msn is answered with 400"
    )
    /// Blocking reloads do not wait for what is there.
    package static let blockPast = Rule(
        "live-block-past",
        "B6.2.5.2",
        .must,
        "a blocking reload for what is there already is answered at once with the whole playlist"
    )
    /// Updates make the whole.
    package static let delta = Rule(
        "live-delta",
        "B6.2.5.1",
        .must,
        "a delta update with the playlist before it makes the whole playlist"
    )
    /// Updates leave out what is old.
    package static let deltaBoundary = Rule(
        "live-delta-boundary",
        "B6.2.5.1",
        .must,
        "a delta update leaves out no segment that is nearer to the end than CAN-SKIP-UNTIL"
    )
    /// Updates are given.
    package static let deltaGiven = Rule(
        "live-delta-given",
        "B6.2.5.1",
        .must,
        "_HLS_skip is answered with a delta update where CAN-SKIP-UNTIL says so"
    )
    /// The offer stays.
    package static let control = Rule(
        "live-control",
        "B6.2.1",
        .must,
        "#EXT-X-SERVER-CONTROL stays"
    )
    /// The bound of parts stays.
    package static let partTarget = Rule("live-part-target", "B6.2.1", .must, "the part target stays")
    /// The distance is enough.
    package static let holdBack = Rule(
        "live-hold-back",
        "own",
        .advice,
        "no two parts come further apart than PART-HOLD-BACK"
    )

    /// All of them, in the order in which they are documented.
    package static let all = changes + times + segments + dates + renditions + multivariant + lowLatency

    static let changes = [
        reload, readable, sequence, removed, order, segmentChanged, discontinuity, target, header, type, event, window,
        six, end,
    ]
    static let times = [news, lastModified, cache, slow]
    static let segments = [segmentThere, segmentKept, segmentKeptLong, segmentRepeated, gap, stall]
    static let dates = [dateGiven, dateOverlap, dateJump, dateDrift, dateClock, rangeKept, rangeChanged]
    static let renditions = [inStep, sameDiscontinuities]
    static let multivariant = [listed, stableName, moved, variantChanged]
    static let lowLatency = [
        partChanged, partsRemoved, partsOld, partSum, partLength, partNews, partThere, partBytes, partRanges,
        partIndependent, hint, hintThere, report, blockAnswer, blockEnd, blockAhead, blockPart, blockPast, delta,
        deltaBoundary, deltaGiven, control, partTarget, holdBack,
    ]
}
