/// The rules on low-latency streams over time, which ``StreamWatch`` checks.
package enum LowLatencyRules {
    package static let partChanged = Rule(
        "live-part-changed",
        in: .live,
        clauses: "B6.2.1",
        .must,
        requires: "parts are added at the end only, and their tags do not change",
        fix: "write the final values when the part is first listed"
    )
    package static let partsRemoved = Rule(
        "live-parts-removed",
        in: .live,
        clauses: "B6.2.2",
        .should,
        requires: "parts stay listed until they are three target durations from the end",
        fix: "remove parts later"
    )
    package static let partsOld = Rule(
        "live-parts-old",
        in: .live,
        clauses: "B6.2.2",
        .should,
        requires: "parts more than three target durations from the end are not listed",
        fix: "remove old parts from the playlist"
    )
    package static let partSum = Rule(
        "live-part-sum",
        in: .live,
        clauses: "B3.2",
        .must,
        requires: "the parts of a segment last as long as the segment",
        fix: "correct the part durations"
    )
    package static let partLength = Rule(
        "live-part-length",
        in: .live,
        clauses: "B4.4.4.9",
        .must,
        requires: "a part lasts 85 % to 100 % of the part target, with the exceptions of the draft",
        fix: "cut parts at the part target"
    )
    package static let partNews = Rule(
        "live-part-news",
        in: .live,
        clauses: "B6.2.1",
        .must,
        requires: "a new part is listed within one part target of the previous one",
        fix: "check the encoder's speed and the origin's load"
    )
    package static let partThere = Rule(
        "live-part-there",
        in: .live,
        clauses: "B6.2.1",
        .must,
        requires: "a listed part is available at once",
        fix: "list a part only after it is uploaded"
    )
    package static let partBytes = Rule(
        "live-part-bytes",
        in: .live,
        clauses: "B3.2, B6.2.1",
        .must,
        requires: "the parts of a segment contain the samples of the segment",
        fix: "build the segment from its parts"
    )
    package static let partRanges = Rule(
        "live-part-ranges",
        in: .live,
        clauses: "B3.2",
        .must,
        requires: "the byte ranges of a segment's parts in one resource do not overlap",
        fix: "correct BYTERANGE of the part"
    )
    package static let partIndependent = Rule(
        "live-part-independent",
        in: .live,
        clauses: "B4.4.4.9",
        .should,
        requires: "a part has INDEPENDENT=YES if and only if it contains a keyframe",
        fix: "set INDEPENDENT=YES from the encoder's keyframes"
    )
    package static let hint = Rule(
        "live-hint",
        in: .live,
        clauses: "B4.4.5.3",
        .must,
        requires: "#EXT-X-PRELOAD-HINT names the next part that is listed",
        fix: "hint the URI that the next part will have"
    )
    package static let hintThere = Rule(
        "live-hint-there",
        in: .live,
        clauses: "B6.2.6",
        .must,
        requires: "a request for the resource of #EXT-X-PRELOAD-HINT blocks until the part is available",
        fix: "hold requests for hinted parts instead of refusing them"
    )
    package static let report = Rule(
        "live-report",
        in: .live,
        clauses: "B4.4.5.4",
        .must,
        requires: "#EXT-X-RENDITION-REPORT states the last segment and part of the other playlist",
        fix: "update the reports with each part"
    )
    package static let blockAnswer = Rule(
        "live-block-answer",
        in: .live,
        clauses: "B6.2.5.2",
        .must,
        requires: "a blocking reload returns once the requested segment or part is listed, or with an error",
        fix: "hold the response until the part is listed"
    )
    package static let blockEnd = Rule(
        "live-block-end",
        in: .live,
        clauses: "B6.2.5.2",
        .should,
        requires: "a blocking reload that cannot be satisfied ends with 503 after three target durations",
        fix: "time out blocking reloads with 503"
    )
    package static let blockAhead = Rule(
        "live-block-ahead",
        in: .live,
        clauses: "B6.2.5.2",
        .should,
        requires: "a blocking reload for a segment far in the future returns 400 at once",
        fix: "reject _HLS_msn more than two segments ahead"
    )
    package static let blockPart = Rule(
        "live-block-part",
        in: .live,
        clauses: "B6.2.5.2",
        .must,
        requires: "_HLS_part without _HLS_msn returns 400",
        fix: "reject the request with 400"
    )
    package static let blockPast = Rule(
        "live-block-past",
        in: .live,
        clauses: "B6.2.5.2",
        .must,
        requires: "a blocking reload for a listed segment returns the whole playlist at once",
        fix: "do not hold requests for listed segments"
    )
    package static let delta = Rule(
        "live-delta",
        in: .live,
        clauses: "B6.2.5.1",
        .must,
        requires: "a delta update applied to the previous playlist yields the current playlist",
        fix: "build the update from the playlist that clients hold"
    )
    package static let deltaBoundary = Rule(
        "live-delta-boundary",
        in: .live,
        clauses: "B6.2.5.1",
        .must,
        requires: "a delta update skips no segment nearer to the end than CAN-SKIP-UNTIL",
        fix: "skip fewer segments"
    )
    package static let deltaGiven = Rule(
        "live-delta-given",
        in: .live,
        clauses: "B6.2.5.1",
        .must,
        requires: "_HLS_skip returns a delta update where CAN-SKIP-UNTIL announces it",
        fix: "serve delta updates, or remove CAN-SKIP-UNTIL"
    )
    package static let control = Rule(
        "live-control",
        in: .live,
        clauses: "B6.2.1",
        .must,
        requires: "#EXT-X-SERVER-CONTROL does not change",
        fix: "write the same #EXT-X-SERVER-CONTROL in every version"
    )
    package static let partTarget = Rule(
        "live-part-target",
        in: .live,
        clauses: "B6.2.1",
        .must,
        requires: "the part target does not change",
        fix: "write the same PART-TARGET in every version"
    )
    package static let holdBack = Rule(
        "live-hold-back",
        in: .live,
        clauses: "own",
        .advice,
        requires: "consecutive parts are at most PART-HOLD-BACK apart",
        fix: "raise PART-HOLD-BACK, or publish parts more evenly"
    )

    /// All rules, in the order of the documentation.
    static let all = [
        partChanged, partsRemoved, partsOld, partSum, partLength, partNews, partThere, partBytes, partRanges,
        partIndependent, hint, hintThere, report, blockAnswer, blockEnd, blockAhead, blockPart, blockPast, delta,
        deltaBoundary, deltaGiven, control, partTarget, holdBack,
    ]
}
