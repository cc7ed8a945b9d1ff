package import SegueConcurrency
import SegueFFmpeg
internal import SeguePackager

/// Compares what any packager and server made of a file with that file: nothing is known of where it was cut, how it was
/// encoded or what its timestamps begin with.
///
/// Both are decoded once as they stream by; sound finds its place in the source by correlation, pictures by likeness.
package enum StreamComparison {
    /// What was compared of one stream.
    struct Content {
        var stream: DeliveredStream
        var sound: SoundContent?
        var pictures: PictureContent?
        var report: ContentReport
    }

    /// Compares delivered streams with their source.
    ///
    /// - Parameters:
    ///   - path: The path of the source.
    ///   - delivered: The media playlists of the variants and renditions of one presentation. Their timestamps have to
    ///     agree, so that sound of one and pictures of another can be compared.
    ///   - allowance: What may have been done to the source.
    ///   - cores: How many threads may be busy with it, that of the caller included.
    ///   - cancellation: Stops the work.
    /// - Returns: A report on each stream, in order.
    /// - Throws: ``MediaError`` when the source cannot be opened or the work is cancelled, and whatever fetching a segment
    ///   throws.
    package static func compare(
        source path: String,
        delivered: [DeliveredStream],
        allowance: ContentAllowance = ContentAllowance(),
        cores: Cores = Cores(),
        cancellation: Cancellation = Cancellation()
    ) throws -> [ContentReport] {
        let streams = try MediaInput(path: path, cancellation: cancellation).streams
        var contents: [Content] = []
        for stream in delivered {
            contents.append(try compare(stream, path, streams, allowance, cores, cancellation))
        }
        OffsetFindings.judge(&contents, allowance)
        return contents.map(\.report)
    }

    private static func compare(
        _ stream: DeliveredStream,
        _ path: String,
        _ streams: [StreamInfo],
        _ allowance: ContentAllowance,
        _ cores: Cores,
        _ cancellation: Cancellation
    ) throws -> Content {
        var report = ContentReport(name: stream.name)
        let longest = stream.segments.map(\.duration).filter(\.isFinite).max() ?? 0
        let reach = min(max(2.5 * longest, 30), 60)
        let listener = Listener { info in
            guard let source = expected(among: streams.filter { $0.kind == .audio && $0.canDecode }, stream.language)
            else {
                return nil
            }
            return SoundContent(
                path: path,
                stream: source,
                starts: stream.starts,
                allowance: allowance,
                reach: reach,
                cancellation
            )
        } pictures: { info in
            let films = streams.filter { $0.kind == .video && !$0.isAttachedPicture && $0.canDecode }
            guard let source = expected(among: films, nil) else { return nil }
            return try PictureContent(
                path: path,
                stream: source,
                allowance: allowance,
                reach: reach,
                cores,
                cancellation
            )
        }
        var reader = DeliveredReader(stream, cancellation)
        try reader.read(to: listener)
        try listener.sound?.finish()
        try listener.pictures?.finish()
        report.metrics.bytes = reader.bytes
        for (segment, message) in reader.failures {
            let start = stream.starts[segment]
            report.find(.segmentAlone, "segment \(segment) \(message)", segment: segment, at: start)
        }
        if let sound = listener.sound {
            try SoundFindings.judge(sound, path, streams, allowance, cancellation, &report)
        }
        if let pictures = listener.pictures { PictureFindings.judge(pictures, stream, allowance, &report) }
        if listener.sound == nil, listener.pictures == nil, reader.failures.isEmpty {
            report.find(.tracks, "there is neither sound nor picture to compare")
        }
        report.sourceComplaints =
            (listener.sound?.source?.complaints ?? []) + (listener.pictures?.sourceComplaints ?? [])
        return Content(stream: stream, sound: listener.sound, pictures: listener.pictures, report: report)
    }

    /// Which of a source's streams a packager takes, where it takes one: of the wished language, else the default.
    private static func expected(among streams: [StreamInfo], _ language: String?) -> StreamInfo? {
        let wished = streams.filter { LanguageName.isSame($0.language, language) }
        return (wished.first ?? streams.first { $0.isDefault && !$0.isAuxiliary }) ?? streams.first
    }

    /// Hands packets to who compares them.
    private final class Listener: DeliveredReader.Listener {
        private(set) var sound: SoundContent?
        private(set) var pictures: PictureContent?
        private var section = 0
        private let makeSound: (StreamInfo) throws -> SoundContent?
        private let makePictures: (StreamInfo) throws -> PictureContent?

        init(
            sound: @escaping (StreamInfo) throws -> SoundContent?,
            pictures: @escaping (StreamInfo) throws -> PictureContent?
        ) {
            (makeSound, makePictures) = (sound, pictures)
        }

        func begin(section: Int) {
            self.section = section
            sound?.begin(section: section)
            pictures?.begin(section: section)
        }

        func take(_ packet: Packet, of stream: StreamInfo, segment: Int, packedStart: Double?) throws {
            if stream.kind == .audio {
                if sound == nil {
                    sound = try makeSound(stream)
                    sound?.begin(section: section)
                }
                try sound?.take(packet, of: stream, segment: segment, packedStart: packedStart)
            } else {
                if pictures == nil {
                    pictures = try makePictures(stream)
                    pictures?.begin(section: section)
                }
                try pictures?.take(packet, of: stream, segment: segment)
            }
        }

        func end() throws {
            try sound?.end()
            try pictures?.end()
        }
    }
}

/// Names of languages, as playlists (RFC 5646) and containers (ISO 639-2) write them.
enum LanguageName {
    /// Whether two names are of the same language, as far as their first letters tell.
    static func isSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other, one != "und", other != "und" else { return false }
        let (left, right) = (one.lowercased().prefix { $0 != "-" }, other.lowercased().prefix { $0 != "-" })
        if left == right { return true }
        // Of the common ones, those whose two letters are not the first of their three.
        let others = ["de": "ger", "es": "spa", "zh": "chi", "cs": "cze", "nl": "dut", "fr": "fre", "el": "gre"]
        return left.count != right.count && (left.prefix(2) == right.prefix(2))
            || others[String(left)] == String(right) || others[String(right)] == String(left)
    }
}

extension ContentReport {
    /// Adds a finding.
    mutating func find(
        _ rule: VerificationReport.Rule,
        _ message: String,
        segment: Int? = nil,
        at seconds: Double? = nil,
        size: Double? = nil
    ) {
        differences.append(
            ContentDifference(rule: rule, message: message, segment: segment, seconds: seconds, size: size)
        )
    }
}
