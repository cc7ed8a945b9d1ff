package import SegueBase
internal import SegueEvents

/// What happened in one uninterrupted stretch of an item's playback; closed by a stall, a seek or a switch.
package struct AccessLogEntry: Sendable, Equatable {
    /// When it began.
    package let began: Instant
    /// The media playlist, or the URL of the item while that is not known.
    package internal(set) var uri: String
    /// The last server that answered, as `host:port`; empty when unknown.
    package internal(set) var serverAddress = ""
    /// Requests of any kind that were answered whole.
    package internal(set) var requests = 0
    /// Segments among them.
    package internal(set) var segments = 0
    /// Bytes of all of them.
    package internal(set) var bytes = 0
    /// How much media the segments hold.
    package internal(set) var downloaded = Duration.zero
    /// How long was played.
    package internal(set) var watched = Duration.zero
    /// How long requests for segments took together.
    package internal(set) var transferTime = Duration.zero
    /// What segments came at, in bits per second.
    package internal(set) var observedBitrate = BitrateStatistics()
    /// What the multivariant playlist declares in bits per second; 0 when it does not.
    package internal(set) var indicatedBitrate = 0
    /// How often the buffer ran out while playing.
    package internal(set) var stalls = 0
    /// Frames that were not shown; the model drops none.
    package let droppedFrames = 0
    /// From the wish to play until playing began; nil where the entry does not begin playback.
    package internal(set) var startupTime: Duration?
    /// Segments that took longer to load than they play.
    package internal(set) var overdueSegments = 0
    /// Why it was closed; nil while it is open.
    package internal(set) var reason: Reason?

    /// What closes an entry.
    package enum Reason: String, Sendable {
        case stall, seek, end, removal, failure, pausedByPlatform = "paused-by-platform"
        /// Another variant is loaded from then on.
        case variantSwitch = "switch"
    }

    init(began: Instant, uri: String) {
        self.began = began
        self.uri = uri
    }
}

extension AccessLogEntry {
    /// Counts a segment, or as much of a file or a stream.
    mutating func add(segmentOf media: Duration, bytes: Int, took: Duration) {
        segments += 1
        downloaded += media
        transferTime += took
        if took > .zero { observedBitrate.add(Double(bytes) * 8 / took.seconds) }
    }

    /// Counts an answer.
    mutating func add(answerOf bytes: Int, from server: String) {
        requests += 1
        self.bytes += bytes
        serverAddress = server
    }
}

/// The spread of bit rates that were observed.
package struct BitrateStatistics: Sendable, Equatable {
    /// How many were observed.
    package private(set) var count = 0
    /// The least, in bits per second.
    package private(set) var least = 0.0
    /// The greatest, in bits per second.
    package private(set) var greatest = 0.0
    private var sum = 0.0
    private var squares = 0.0

    /// Their mean, in bits per second; 0 when there is none.
    package var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// Their standard deviation, in bits per second.
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

/// One thing that went wrong with an item.
package struct ErrorLogEntry: Sendable, Equatable {
    /// When.
    package let at: Instant
    /// What was asked for.
    package let uri: String
    /// The HTTP status; 0 when there was no answer.
    package let status: Int
    /// What went wrong.
    package let error: PlaybackError
}

/// What a player remembers of an item's loading and playing.
package struct ItemJournal: Sendable {
    /// The access log, the oldest entry first; the last one is open unless it has a reason.
    package private(set) var access: [AccessLogEntry] = []

    /// The error log, the oldest entry first.
    package private(set) var errors: [ErrorLogEntry] = []

    /// The entry that is open, begun now when there is none.
    mutating func update(uri: String, at now: Instant, _ change: (inout AccessLogEntry) -> Void) {
        if access.last.map({ $0.reason != nil }) ?? true { access.append(AccessLogEntry(began: now, uri: uri)) }
        change(&access[access.count - 1])
    }

    /// Closes the open entry.
    ///
    /// - Returns: The entry; nil when none was open.
    mutating func close(_ reason: AccessLogEntry.Reason) -> AccessLogEntry? {
        guard let last = access.indices.last, access[last].reason == nil else { return nil }
        access[last].reason = reason
        return access[last]
    }

    mutating func record(_ entry: ErrorLogEntry) { errors.append(entry) }
}

extension AccessLogEntry {
    /// The names of the fields of ``extendedLine``.
    package static let extendedFields =
        "time cs-uri s-ip x-requests x-segments sc-bytes x-downloaded-duration x-watched-duration x-observed-bitrate"
        + " x-observed-min-bitrate x-observed-max-bitrate x-observed-deviation x-indicated-bitrate x-stalls"
        + " x-dropped-frames x-startup-time x-overdue x-transfer-duration x-reason"

    /// The entry as a line of a W3C extended log; `-` for what is not known, times in seconds.
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
    /// The names of the fields of ``extendedLine``.
    package static let extendedFields = "time cs-uri sc-status x-domain x-code x-comment"

    /// The entry as a line of a W3C extended log; `-` for what is not known, the time in seconds.
    package var extendedLine: String {
        let status = status == 0 ? "-" : "\(status)"
        let words = [ExtendedLog.seconds(at - .zero), ExtendedLog.text(uri), status, error.domain.rawValue]
        return (words + ["\(error.code)", ExtendedLog.text(error.message)]).joined(separator: " ")
    }
}

/// How values are written in the W3C extended log file format.
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
