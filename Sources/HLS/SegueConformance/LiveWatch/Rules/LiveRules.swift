/// The rules on a live stream over time, which ``StreamWatch`` checks.
package enum LiveRules {
    // MARK: Changes of a playlist

    package static let reload = Rule(
        "live-reload",
        in: .live,
        clauses: "R3, R4.1",
        .must,
        requires: "every reload of a live playlist succeeds",
        fix: "check the origin and the CDN for errors and timeouts"
    )
    package static let readable = Rule(
        "live-readable",
        in: .live,
        clauses: "R4, R6.3.2",
        .must,
        requires: "each version is a playlist of the same kind that a strict parser accepts",
        fix: "write playlists atomically, and correct the reported error; FFmpeg: -hls_flags temp_file"
    )
    package static let sequence = Rule(
        "live-sequence",
        in: .live,
        clauses: "R6.2.2, B6.2.2",
        .must,
        requires: "the media sequence number never decreases",
        fix: "keep the sequence number over packager restarts, and check for caches that serve old versions"
    )
    package static let removed = Rule(
        "live-removed",
        in: .live,
        clauses: "R6.2.2, B6.2.2",
        .must,
        requires: "the media sequence number increases by the number of removed segments",
        fix: "increase #EXT-X-MEDIA-SEQUENCE by one for each removed segment"
    )
    package static let order = Rule(
        "live-order",
        in: .live,
        clauses: "R6.2.1, R6.2.2, B6.2.1, B6.2.2",
        .must,
        requires: "segments are added at the end and removed from the start only",
        fix: "append new segments, and never insert or withdraw one"
    )
    package static let segmentChanged = Rule(
        "live-segment-changed",
        in: .live,
        clauses: "R6.2.1, B6.2.1, R6.3.4 should, B6.3.4 should",
        .must,
        requires: "the tags of a listed segment do not change",
        fix: "write the final values when the segment is first listed"
    )
    package static let discontinuity = Rule(
        "live-discontinuity",
        in: .live,
        clauses: "R6.2.2, B6.2.2",
        .must,
        requires: "segments keep their discontinuity sequence number, which never decreases",
        fix: "increase #EXT-X-DISCONTINUITY-SEQUENCE with each discontinuity that is removed"
    )
    package static let target = Rule(
        "live-target",
        in: .live,
        clauses: "R6.2.1, B6.2.1",
        .must,
        requires: "the target duration does not change",
        fix: "choose a target duration that holds for the whole stream"
    )
    package static let header = Rule(
        "live-header",
        in: .live,
        clauses: "R6.2.1, B6.2.1",
        .must,
        requires: "the version and the tags about all segments do not change",
        fix: "write the same header in every version"
    )
    package static let type = Rule(
        "live-type",
        in: .live,
        clauses: "R6.2.1, B6.2.1",
        .must,
        requires: "the playlist type does not change",
        fix: "write the same #EXT-X-PLAYLIST-TYPE in every version"
    )
    package static let event = Rule(
        "live-event",
        in: .live,
        clauses: "R6.2.1, R6.2.2, B6.2.1, B6.2.2",
        .must,
        requires: "playlists with a type keep all segments, and VOD playlists add none",
        fix: "remove #EXT-X-PLAYLIST-TYPE, or keep all segments"
    )
    package static let window = Rule(
        "live-window-least",
        in: .live,
        clauses: "R6.2.2, B6.2.2",
        .must,
        requires: "removing a segment leaves at least three target durations",
        fix: "keep more segments in the playlist; FFmpeg: -hls_list_size; nginx-rtmp: hls_playlist_length"
    )
    package static let six = Rule(
        "live-six",
        in: .live,
        clauses: "A8.11",
        .must,
        requires: "a live playlist has at least six segments",
        fix: "keep more segments in the playlist; FFmpeg: -hls_list_size 6; nginx-rtmp: hls_playlist_length"
    )
    package static let end = Rule(
        "live-end",
        in: .live,
        clauses: "R6.2.1, B6.2.1",
        .must,
        requires: "#EXT-X-ENDLIST is final: nothing is added after it, and it is not removed",
        fix: "write #EXT-X-ENDLIST only when the stream is over"
    )

    // MARK: Timing of changes

    package static let news = Rule(
        "live-news",
        in: .live,
        clauses: "R6.2.1, B6.2.1",
        .must,
        requires: "a new segment is listed within 1.5 target durations of the previous one",
        fix: "check the encoder's speed and the age of cached playlists"
    )
    package static let lastModified = Rule(
        "live-last-modified",
        in: .live,
        clauses: "A8.24",
        .should,
        requires: "Last-Modified is at most three target durations before Date",
        fix: "check that the packager still writes and that no cache serves an old version"
    )
    package static let cache = Rule(
        "live-cached-long",
        in: .live,
        clauses: "own",
        .advice,
        requires: "caches keep a live playlist for at most one target duration",
        fix: "send Cache-Control: max-age with half the target duration, rounded down"
    )
    package static let slow = Rule(
        "live-slow",
        in: .live,
        clauses: "own",
        .advice,
        requires: "a reload that does not block takes less than one target duration",
        fix: "check the origin's load and the CDN's route to it"
    )

    /// All rules, in the order of the documentation.
    package static let all =
        changes + times + segments + dates + renditions + multivariant + SampleRules.all + LowLatencyRules.all

    static let changes = [
        reload, readable, sequence, removed, order, segmentChanged, discontinuity, target, header, type, event, window,
        six, end,
    ]
    static let times = [news, lastModified, cache, slow]
}
