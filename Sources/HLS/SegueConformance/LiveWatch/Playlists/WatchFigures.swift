internal import SegueBase
package import SegueFetch

// Size: a flat record, a property for each measurement.
/// The measurements of a watched playlist.
package struct WatchFigures: Sendable, Equatable {
    /// The number of successful reloads.
    package var reloads = 0
    /// The number of failed reloads.
    package var failures = 0
    /// The number of received bytes.
    package var bytes = 0
    /// The time of the last reload that did not block, in seconds.
    package var reloadSeconds = 0.0
    /// The number of segments listed since the start of the watch.
    package var segments = 0
    /// The number of segments that were loaded and inspected, of those that were also decoded, and of those with
    /// violations that must be fixed.
    package var samples = 0
    package var decoded = 0
    package var brokenSamples = 0
    /// The number of loaded bytes of segments.
    package var mediaBytes = 0
    /// The age of the last new segment at the last load, in seconds.
    package var staleSeconds = 0.0
    /// The distance of the end from the clock at the last new segment, in seconds; nil without dates.
    package var latency: Double?
    /// The number of stalls of a modeled player.
    package var stalls = 0
    /// The total duration of the stalls in seconds.
    package var stallSeconds = 0.0
    /// The longest interval between two parts in seconds; nil without parts.
    package var partGap: Double?
    /// The use of kept connections by all requests for the stream; none for a single playlist.
    package var connection = ConnectionUse()
    /// True if the playlist has `#EXT-X-ENDLIST`.
    package var hasEnded = false

    package init() {}

    /// Adds the figures of another playlist of the stream.
    mutating func add(_ other: WatchFigures) {
        reloads += other.reloads
        failures += other.failures
        bytes += other.bytes
        segments += other.segments
        samples += other.samples
        decoded += other.decoded
        brokenSamples += other.brokenSamples
        mediaBytes += other.mediaBytes
        reloadSeconds = max(reloadSeconds, other.reloadSeconds)
        staleSeconds = max(staleSeconds, other.staleSeconds)
        latency = [latency, other.latency].compactMap(\.self).max()
        // Audio and video stall together.
        stalls = max(stalls, other.stalls)
        stallSeconds = max(stallSeconds, other.stallSeconds)
        partGap = [partGap, other.partGap].compactMap(\.self).max()
    }

    /// Adds the figures of a playlist that is no longer watched.
    mutating func add(past other: WatchFigures) {
        var other = other
        (other.reloadSeconds, other.staleSeconds, other.latency) = (0, 0, nil)
        add(other)
    }
}
