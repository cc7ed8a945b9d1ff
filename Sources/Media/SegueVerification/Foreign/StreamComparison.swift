internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg
internal import SeguePackager

/// Compares the output of any packager and server with its source, without knowledge of segmentation, encoding, or
/// timestamp origin.
///
/// Both are decoded once as they stream by; audio is located by correlation, video by similarity.
package enum StreamComparison {
    /// The comparison of one stream.
    struct Content {
        var stream: DeliveredStream
        var audio: AudioContent?
        var video: VideoContent?
        var report: ContentReport
    }

    /// Compares delivered streams with their source.
    ///
    /// - Parameters:
    ///   - delivered: The media playlists of one presentation. Their timestamps must agree, so audio of one can be
    ///     compared with video of another.
    ///   - cores: The limit on busy threads, including the caller's.
    /// - Returns: A report per stream, in order.
    /// - Throws: ``MediaError`` if the source cannot be opened or the work is canceled, and rethrown fetch errors.
    package static func compare(
        source path: String,
        delivered: [DeliveredStream],
        allowance: ContentAllowance = ContentAllowance(),
        cores: Cores = Cores(),
        cancellation: Cancellation = Cancellation()
    ) throws -> [ContentReport] {
        let source = Source(
            path: path,
            streams: try MediaInput(path: path, cancellation: cancellation).streams,
            allowance: allowance,
            cores: cores,
            cancellation: cancellation
        )
        var contents = try delivered.map { try source.compare($0) }
        OffsetFindings.judge(&contents, allowance)
        return contents.map(\.report)
    }
}

/// A source with the settings of its comparisons.
private struct Source {
    let path: String
    let streams: [StreamInfo]
    let allowance: ContentAllowance
    let cores: Cores
    let cancellation: Cancellation

    /// Creates the comparison of a stream's content with the expected streams, once its first packet is read.
    private func listener(for stream: DeliveredStream) -> Listener {
        let longest = stream.segments.map(\.duration).filter(\.isFinite).max() ?? 0
        let reach = min(max(2.5 * longest, 30), 60)
        return Listener { _ in
            let audioTracks = streams.filter { $0.kind == .audio && $0.canDecode }
            guard let source = Self.expected(among: audioTracks, stream.language) else { return nil }
            return AudioContent(
                path: path,
                stream: source,
                starts: stream.starts,
                allowance: allowance,
                reach: reach,
                cancellation
            )
        } video: { _ in
            let films = streams.filter { $0.kind == .video && !$0.isAttachedPicture && $0.canDecode }
            guard let source = Self.expected(among: films, nil) else { return nil }
            return try VideoContent(
                path: path,
                stream: source,
                allowance: allowance,
                reach: reach,
                cores,
                cancellation
            )
        }
    }

    func compare(_ stream: DeliveredStream) throws -> StreamComparison.Content {
        var report = ContentReport(name: stream.name)
        let listener = listener(for: stream)
        var reader = DeliveredReader(stream, cancellation)
        try reader.read(to: listener)
        try listener.audio?.finish()
        try listener.video?.finish()
        report.metrics.bytes = reader.bytes
        for (segment, message) in reader.failures {
            let start = stream.starts[segment]
            report.find(.segmentAlone, "segment \(segment) \(message)", segment: segment, at: start)
        }
        if let audio = listener.audio {
            try AudioFindings.judge(
                audio,
                path: path,
                streams: streams,
                allowance: allowance,
                cancellation: cancellation,
                into: &report
            )
        }
        if let video = listener.video {
            VideoFindings.judge(video, stream: stream, allowance: allowance, into: &report)
        }
        if listener.audio == nil, listener.video == nil, reader.failures.isEmpty {
            report.find(.tracks, "the stream has no audio or video to compare")
        }
        report.sourceComplaints =
            (listener.audio?.source?.complaints ?? []) + (listener.video?.sourceComplaints ?? [])
        return StreamComparison.Content(
            stream: stream,
            audio: listener.audio,
            video: listener.video,
            report: report
        )
    }

    /// The source stream that a packager selects: of the wanted language, otherwise the default.
    private static func expected(among streams: [StreamInfo], _ language: String?) -> StreamInfo? {
        let wished = streams.filter { LanguageName.isSame($0.language, language) }
        return (wished.first ?? streams.first { $0.isDefault && !$0.isAuxiliary }) ?? streams.first
    }

    /// Passes packets to the comparisons.
    private final class Listener: DeliveredReader.Listener {
        private(set) var audio: AudioContent?
        private(set) var video: VideoContent?
        private var section = 0
        private let makeAudio: (StreamInfo) throws -> AudioContent?
        private let makeVideo: (StreamInfo) throws -> VideoContent?

        init(
            audio: @escaping (StreamInfo) throws -> AudioContent?,
            video: @escaping (StreamInfo) throws -> VideoContent?
        ) {
            (makeAudio, makeVideo) = (audio, video)
        }

        func begin(section: Int) {
            self.section = section
            audio?.begin(section: section)
            video?.begin(section: section)
        }

        func take(_ packet: Packet, of stream: StreamInfo, segment: Int, packedStart: Double?) throws {
            if stream.kind == .audio {
                if audio == nil {
                    audio = try makeAudio(stream)
                    audio?.begin(section: section)
                }
                try audio?.take(packet, of: stream, segment: segment, packedStart: packedStart)
            } else {
                if video == nil {
                    video = try makeVideo(stream)
                    video?.begin(section: section)
                }
                try video?.take(packet, of: stream, segment: segment)
            }
        }

        func end() throws {
            try audio?.end()
            try video?.end()
        }
    }
}

/// Language names in playlists (RFC 5646) and containers (ISO 639-2).
enum LanguageName {
    /// True if two names share their first letters, or are known equivalents.
    static func isSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other, one != "und", other != "und" else { return false }
        let (left, right) = (one.lowercased().prefix { $0 != "-" }, other.lowercased().prefix { $0 != "-" })
        if left == right { return true }
        // Common languages whose two-letter code is not the start of the three-letter one.
        let others = ["de": "ger", "es": "spa", "zh": "chi", "cs": "cze", "nl": "dut", "fr": "fre", "el": "gre"]
        return left.count != right.count && (left.prefix(2) == right.prefix(2))
            || others[String(left)] == String(right) || others[String(right)] == String(left)
    }
}

extension ContentReport {
    /// Adds a finding.
    mutating func find(
        _ rule: VerificationReport.Rule,
        _ message: Message,
        segment: Int? = nil,
        at seconds: Double? = nil,
        size: Double? = nil
    ) {
        differences.append(
            ContentDifference(rule: rule, message: message, segment: segment, seconds: seconds, size: size)
        )
    }
}
