/// The rules on segments, dates, renditions, and multivariant playlists over time.
extension LiveRules {
    // MARK: Segments

    package static let segmentThere = Rule(
        "live-segment-there",
        in: .live,
        clauses: "R6.2.1, B6.2.1",
        .must,
        requires: "a listed segment is available at once",
        fix: "list a segment only after it is uploaded"
    )
    package static let segmentKept = Rule(
        "live-segment-kept",
        in: .live,
        clauses: "R6.2.2, B6.2.2",
        .must,
        requires:
            "a removed segment stays available for its duration plus the longest playlist's, counted from its first listing",
        fix: "delete segments later; FFmpeg: -hls_delete_threshold; nginx-rtmp: hls_cleanup off"
    )
    package static let segmentKeptLong = Rule(
        "live-segment-kept-long",
        in: .live,
        clauses: "R6.2.2",
        .must,
        requires:
            "a removed segment stays available for its duration plus the longest playlist's, counted from its removal",
        fix: "delete segments later"
    )
    package static let segmentRepeated = Rule(
        "live-segment-repeated",
        in: .live,
        clauses: "R6.2.2",
        .must,
        requires: "the URI of a segment that must stay available is not reused for another one",
        fix: "use unique segment names; FFmpeg: -hls_start_number_source epoch; nginx-rtmp: hls_fragment_naming system"
    )
    package static let gap = Rule(
        "live-gap",
        in: .live,
        clauses: "own",
        .advice,
        requires: "no segment is missing (#EXT-X-GAP)",
        fix: "find the cause of the gap in the encoder or the ingest"
    )
    package static let stall = Rule(
        "live-stall",
        in: .live,
        clauses: "own",
        .advice,
        requires: "a player that keeps the distance stated by the playlist never stalls",
        fix: "publish segments earlier, or raise HOLD-BACK"
    )

    // MARK: Dates

    package static let dateGiven = Rule(
        "live-date-given",
        in: .live,
        clauses: "A8.4",
        .must,
        requires: "a live playlist has #EXT-X-PROGRAM-DATE-TIME",
        fix: "add #EXT-X-PROGRAM-DATE-TIME; FFmpeg: -hls_flags program_date_time"
    )
    package static let dateOverlap = Rule(
        "live-date-overlap",
        in: .live,
        clauses: "B6.2.1",
        .must,
        requires: "a segment's date is less than one second before the end of the previous segment",
        fix: "derive dates from the media time, not from the clock at writing"
    )
    package static let dateJump = Rule(
        "live-date-jump",
        in: .live,
        clauses: "own",
        .advice,
        requires: "without a discontinuity, dates advance by the segment durations",
        fix: "derive dates from the media time, or mark the discontinuity"
    )
    package static let dateDrift = Rule(
        "live-date-drift",
        in: .live,
        clauses: "own",
        .advice,
        requires: "dates and durations drift apart by less than one second",
        fix: "derive dates from the media time, not from the clock at writing"
    )
    package static let dateClock = Rule(
        "live-date-clock",
        in: .live,
        clauses: "A8.5",
        .should,
        requires: "the date of the end is neither in the future nor ten minutes past",
        fix: "synchronize the encoder's clock"
    )
    package static let rangeKept = Rule(
        "live-range-kept",
        in: .live,
        clauses: "R6.2.1, B6.2.1",
        .must,
        requires: "a date range stays while a listed segment has one of its dates",
        fix: "keep the #EXT-X-DATERANGE longer"
    )
    package static let rangeChanged = Rule(
        "live-range-changed",
        in: .live,
        clauses: "R4.3.2.7, R6.2.1, B4.4.5.1, B6.2.1",
        .must,
        requires: "the attributes of a date range do not change",
        fix: "repeat attributes unchanged"
    )

    // MARK: Renditions

    package static let inStep = Rule(
        "live-in-step",
        in: .live,
        clauses: "R6.2.4, B6.2.4",
        .must,
        requires: "no variant or rendition lags another by more than one target duration",
        fix: "publish all renditions at the same time"
    )
    package static let sameDiscontinuities = Rule(
        "live-same-discontinuities",
        in: .live,
        clauses: "R6.2.4, B6.2.4, A8.15",
        .must,
        requires: "the same content has the same discontinuity sequence number in every variant and rendition",
        fix: "write discontinuities to all playlists at once"
    )

    // MARK: Multivariant playlist

    package static let listed = Rule(
        "live-listed",
        in: .live,
        clauses: "R6.2.4, B6.2.4",
        .should,
        requires: "a multivariant playlist lists each variant and rendition while its media playlist continues",
        fix: "keep the variant listed, or end its media playlist"
    )
    package static let stableName = Rule(
        "live-stable-name",
        in: .live,
        clauses: "B4.4.6.1, B4.4.6.2",
        .must,
        requires:
            "STABLE-VARIANT-ID and STABLE-RENDITION-ID name the same content in every version and on every pathway",
        fix: "assign one stable ID to each encoding"
    )
    package static let moved = Rule(
        "live-moved",
        in: .live,
        clauses: "own",
        .advice,
        requires: "a variant or rendition whose URI changes keeps its STABLE-VARIANT-ID or STABLE-RENDITION-ID",
        fix: "add stable IDs"
    )
    package static let variantChanged = Rule(
        "live-variant-changed",
        in: .live,
        clauses: "own",
        .advice,
        requires: "the attributes that describe a media playlist's content do not change",
        fix: "use a new URI for a new encoding"
    )

    static let segments = [segmentThere, segmentKept, segmentKeptLong, segmentRepeated, gap, stall]
    static let dates = [dateGiven, dateOverlap, dateJump, dateDrift, dateClock, rangeKept, rangeChanged]
    static let renditions = [inStep, sameDiscontinuities]
    static let multivariant = [listed, stableName, moved, variantChanged]
}
