internal import SegueBase

/// What has been measured of a playlist so far.
package struct WatchFigures: Sendable, Equatable {
    /// How many reloads were answered.
    package var reloads = 0
    /// How many were not.
    package var failures = 0
    /// How many bytes came.
    package var bytes = 0
    /// How long the last reload took that did not wait, in seconds.
    package var reloadSeconds = 0.0
    /// How many segments have been listed since the watch began.
    package var segments = 0
    /// How long ago the last news came when the playlist was loaded last, in seconds.
    package var staleSeconds = 0.0
    /// How far the end of what is listed was behind the clock when it last grew, in seconds; nil without dates.
    package var latency: Double?
    /// How often a player would have stood still.
    package var stalls = 0
    /// For how long all in all, in seconds.
    package var stallSeconds = 0.0
    /// The longest time between two parts, in seconds; nil where none was measured.
    package var partGap: Double?
    /// Whether the playlist has its end.
    package var hasEnded = false

    /// Nothing.
    package init() {}

    /// What several playlists of one stream come to together.
    mutating func add(_ other: WatchFigures) {
        reloads += other.reloads
        failures += other.failures
        bytes += other.bytes
        segments += other.segments
        reloadSeconds = max(reloadSeconds, other.reloadSeconds)
        staleSeconds = max(staleSeconds, other.staleSeconds)
        latency = [latency, other.latency].compactMap(\.self).max()
        // The sound and the picture stand still together.
        stalls = max(stalls, other.stalls)
        stallSeconds = max(stallSeconds, other.stallSeconds)
        partGap = [partGap, other.partGap].compactMap(\.self).max()
    }

    /// What was measured of a playlist that is no longer watched.
    mutating func add(past other: WatchFigures) {
        var other = other
        (other.reloadSeconds, other.staleSeconds, other.latency) = (0, 0, nil)
        add(other)
    }
}

/// Seconds as sentences have them.
func words(_ seconds: Double) -> String {
    let tenths = Int64((min(max(seconds, -1e12), 1e12) * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10) s"
}

/// Two times for a sentence that tells them apart: with as many digits as that needs, up to a microsecond.
func words(_ one: Double, besides other: Double) -> (String, String) {
    for digits in 1...6 {
        let texts = (DecimalText.fixed(one, places: digits), DecimalText.fixed(other, places: digits))
        if texts.0 != texts.1 { return (texts.0 + " s", texts.1 + " s") }
    }
    return (words(one), words(other))
}
