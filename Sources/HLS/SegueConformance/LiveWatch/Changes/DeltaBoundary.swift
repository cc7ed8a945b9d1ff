internal import SegueBase
internal import SeguePlaylists

/// The check of the segments that a delta update skips.
enum DeltaBoundary {
    /// The tolerance for rounded durations in seconds.
    private static let rounding = 0.1

    /// Compares the skipped segments with `CAN-SKIP-UNTIL`.
    ///
    /// - Parameters:
    ///   - playlist: The whole playlist after the update.
    ///   - count: The number of skipped segments, at least one.
    /// - Returns: A breach if the last skipped segment is too near to the end; nil otherwise.
    static func breach(_ playlist: MediaPlaylist, skipping count: Int) -> Breach? {
        guard let until = playlist.serverControl?.canSkipUntil?.seconds else { return nil }
        let later = playlist.segments[(count - 1)...].reduce(0) { $0 + $1.duration.seconds }
        let begin = later + playlist.openParts.reduce(0) { $0 + $1.duration.seconds }
        // A segment on the boundary may be on either side.
        guard begin < until - rounding else { return nil }
        let comparison = Comparison(
            "a skipped segment starts before the end by",
            begin,
            .atLeast,
            until,
            .seconds,
            "by CAN-SKIP-UNTIL"
        )
        return Breach(LiveRules.deltaBoundary, comparison, segment: playlist.mediaSequence + count - 1)
    }
}
