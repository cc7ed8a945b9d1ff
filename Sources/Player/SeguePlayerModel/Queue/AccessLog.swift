package import SegueBase
internal import SegueEvents

// Size: one property for each value of an AVPlayerItemAccessLogEvent.
/// An entry for one uninterrupted stretch of playback of an item, which ends with a stall, a seek, or a switch.
package struct AccessLogEntry: Sendable, Equatable {
    package let began: Instant
    /// The media playlist, or the URL of the item while the playlist is not known.
    package internal(set) var uri: String
    /// The last server that responded, as `host:port`; empty if unknown.
    package internal(set) var serverAddress = ""
    /// The number of complete responses to requests of any kind.
    package internal(set) var requests = 0
    /// The number of segments among them.
    package internal(set) var segments = 0
    /// The number of bytes of all of them.
    package internal(set) var bytes = 0
    /// The duration of media in the segments.
    package internal(set) var downloaded = Duration.zero
    /// The duration of media played.
    package internal(set) var watched = Duration.zero
    /// The total time of requests for segments.
    package internal(set) var transferTime = Duration.zero
    /// The bit rates of segments, in bits per second.
    package internal(set) var observedBitrate = BitrateStatistics()
    /// The bit rate in the multivariant playlist, in bits per second; 0 if there is none.
    package internal(set) var indicatedBitrate = 0
    /// The number of times that the buffer ran out during playback.
    package internal(set) var stalls = 0
    /// The number of frames that were not shown.
    ///
    /// The model drops none.
    package let droppedFrames = 0
    /// The time from the play command to playback; nil if the entry does not begin playback.
    package internal(set) var startupTime: Duration?
    /// The number of segments that took longer to load than to play.
    package internal(set) var overdueSegments = 0
    /// The reason for the end of the entry; nil while it is open.
    package internal(set) var reason: Reason?

    /// A reason for the end of an entry.
    package enum Reason: String, Sendable {
        case stall, seek, end, removal, failure, pausedByPlatform = "paused-by-platform"
        /// Another variant is loaded.
        case variantSwitch = "switch"
    }

    init(began: Instant, uri: String) {
        self.began = began
        self.uri = uri
    }
}

extension AccessLogEntry {
    /// Counts a segment, or the equivalent part of a file or a stream.
    mutating func add(segmentOf media: Duration, bytes: Int, took: Duration) {
        segments += 1
        downloaded += media
        transferTime += took
        if took > .zero { observedBitrate.add(Double(bytes) * 8 / took.seconds) }
    }

    /// Counts a response.
    mutating func add(answerOf bytes: Int, from server: String) {
        requests += 1
        self.bytes += bytes
        serverAddress = server
    }
}

/// The spread of observed bit rates.
package struct BitrateStatistics: Sendable, Equatable {
    /// The number of observations.
    package private(set) var count = 0
    /// The minimum, in bits per second.
    package private(set) var least = 0.0
    /// The maximum, in bits per second.
    package private(set) var greatest = 0.0
    private var sum = 0.0
    private var squares = 0.0

    /// The mean, in bits per second; 0 without observations.
    package var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// The standard deviation, in bits per second.
    package var deviation: Double {
        count == 0 ? 0 : max(0, squares / Double(count) - mean * mean).squareRoot()
    }

    mutating func add(_ bitrate: Double) {
        least = count == 0 ? bitrate : min(least, bitrate)
        greatest = max(greatest, bitrate)
        count += 1
        sum += bitrate
        squares += bitrate * bitrate
    }
}

/// An entry of an item's error log.
package struct ErrorLogEntry: Sendable, Equatable {
    package let at: Instant
    /// The URL of the request.
    package let uri: String
    /// The HTTP status; 0 without a response.
    package let status: Int
    let error: PlaybackError
    /// The error in the codes of the platform.
    package let reported: PlaybackError
}

/// The access log and the error log of an item.
package struct ItemJournal: Sendable {
    /// The access log, the oldest entry first.
    ///
    /// The last entry is open if it has no reason.
    package private(set) var access: [AccessLogEntry] = []

    /// The error log, the oldest entry first.
    package private(set) var errors: [ErrorLogEntry] = []

    /// Changes the open entry, or begins one now.
    mutating func update(uri: String, at now: Instant, _ change: (inout AccessLogEntry) -> Void) {
        if access.last.map({ $0.reason != nil }) ?? true { access.append(AccessLogEntry(began: now, uri: uri)) }
        change(&access[access.count - 1])
    }

    /// Records the start of the playhead, with the time since the play command.
    mutating func notePlaying(_ uri: String, bitrate: Int, startup: Duration?, at now: Instant) {
        let isFirst = access.allSatisfy { $0.startupTime == nil }
        update(uri: uri, at: now) { entry in
            (entry.indicatedBitrate, entry.uri) = (bitrate, uri)
            if isFirst { entry.startupTime = startup }
        }
    }

    /// Records the variant that was left, if the open entry has no playlist yet because nothing was played.
    mutating func noteLeft(_ uri: String, bitrate: Int, at now: Instant) {
        update(uri: uri, at: now) { entry in
            if entry.indicatedBitrate == 0 { (entry.uri, entry.indicatedBitrate) = (uri, bitrate) }
        }
    }

    /// Closes the open entry, and returns it.
    mutating func close(_ reason: AccessLogEntry.Reason) -> AccessLogEntry? {
        guard let last = access.indices.last, access[last].reason == nil else { return nil }
        access[last].reason = reason
        return access[last]
    }

    mutating func record(_ entry: ErrorLogEntry) { errors.append(entry) }
}

extension AccessLogEntry {
    /// The field names of ``extendedLine``.
    package static let extendedFields =
        "time cs-uri s-ip x-requests x-segments sc-bytes x-downloaded-duration x-watched-duration x-observed-bitrate"
        + " x-observed-min-bitrate x-observed-max-bitrate x-observed-deviation x-indicated-bitrate x-stalls"
        + " x-dropped-frames x-startup-time x-overdue x-transfer-duration x-reason"

    /// The entry as a line of a W3C extended log, with `-` for unknown values and times in seconds.
    package var extendedLine: String {
        let text = ExtendedLog.text
        let seconds = ExtendedLog.seconds
        func rate(_ value: Double) -> String { observedBitrate.count == 0 ? "-" : "\(Int(value.rounded()))" }
        let fields = [
            seconds(began - .zero), text(uri), text(serverAddress), "\(requests)", "\(segments)", "\(bytes)",
            seconds(downloaded), seconds(watched), rate(observedBitrate.mean), rate(observedBitrate.least),
            rate(observedBitrate.greatest), rate(observedBitrate.deviation),
            indicatedBitrate == 0 ? "-" : "\(indicatedBitrate)", "\(stalls)", "\(droppedFrames)",
            startupTime.map(seconds) ?? "-", "\(overdueSegments)", seconds(transferTime), reason?.rawValue ?? "-",
        ]
        return fields.joined(separator: " ")
    }
}

extension ErrorLogEntry {
    /// The field names of ``extendedLine``.
    package static let extendedFields = "time cs-uri sc-status x-domain x-code x-comment"

    /// The entry as a line of a W3C extended log, with `-` for unknown values and the time in seconds.
    package var extendedLine: String {
        let status = status == 0 ? "-" : "\(status)"
        let words = [ExtendedLog.seconds(at - .zero), ExtendedLog.text(uri), status, reported.domain.rawValue]
        return (words + ["\(reported.code)", ExtendedLog.text(reported.message)]).joined(separator: " ")
    }
}

/// The notation of values in the W3C extended log file format.
private enum ExtendedLog {
    static func text(_ value: String) -> String {
        value.isEmpty ? "-" : value.split(whereSeparator: \.isWhitespace).joined(separator: "+")
    }

    static func seconds(_ duration: Duration) -> String {
        let thousandths = (duration.wholeNanoseconds + 500_000) / 1_000_000
        let rest = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
