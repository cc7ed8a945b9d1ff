import SegueBase
import SegueFFmpeg
import SeguePackager

/// The streams of a file and its renditions, as text and JSON.
struct FileProbe: Encodable {
    struct Stream: Encodable {
        let number: Int
        let kind: String
        let codec: String
        let details: String
    }

    /// The treatment of a stream in a rendition.
    struct Track: Encodable {
        let stream: Int
        let kind: String
        let treatment: String
        let reason: String?
        let codecs: String
        let bitsPerSecond: Int
    }

    /// A rendition in one container.
    struct Rendition: Encodable {
        let name: String
        let container: String
        let isPreferred: Bool
        let tracks: [Track]
        /// The bit rates of the largest segment, and on average; nil without a rendition.
        let peakBitsPerSecond: Int?
        let averageBitsPerSecond: Int?
        /// The reason why there is no rendition.
        let refusal: String?
    }

    /// The source of the packet index.
    struct Index: Encodable {
        let source: String
        let bytesRead: Int64
        let fileBytes: Int64
        /// The time for opening the file and planning its segments.
        let milliseconds: Double
    }

    let file: String
    let device: String
    let index: Index
    let container: String
    let title: String?
    let durationSeconds: Double
    let segments: Int
    let targetDuration: Int
    let longestSegmentSeconds: Double
    let shortestSegmentSeconds: Double
    let discontinuities: Int
    /// The start times of the segments after the first.
    let firstCutsSeconds: [Double]
    let streams: [Stream]
    let renditions: [Rendition]

    /// True if no rendition is available.
    var isUnserved: Bool { renditions.allSatisfy { $0.refusal != nil } }

    /// - Parameters:
    ///   - presentations: The file opened for a device, the preferred container first; never empty.
    ///   - time: The time for opening it the first time.
    init(_ presentations: [Presentation], openedIn time: Duration) {
        let presentation = presentations[0]
        device = presentation.device.name
        let plan = presentation.plan
        let lengths = plan.segments.map(\.duration.seconds)
        file = presentation.identity.path
        index = Index(
            source: presentation.indexing.source.rawValue,
            bytesRead: presentation.indexing.bytesRead,
            fileBytes: presentation.identity.size,
            milliseconds: time / .milliseconds(1)
        )
        container = presentation.source.container
        title = presentation.source.title
        durationSeconds = plan.duration.seconds
        segments = plan.segments.count
        targetDuration = plan.targetDuration
        longestSegmentSeconds = lengths.max() ?? 0
        shortestSegmentSeconds = lengths.min() ?? 0
        discontinuities = plan.segments.count(where: \.startsDiscontinuity)
        firstCutsSeconds = plan.segments.dropFirst().prefix(6).map(\.start.seconds)
        let refused = presentation.refusedAudio.mapValues(\.message)
            .merging(presentation.refusedSubtitles) { first, _ in first }
        streams = presentation.source.streams.map { Stream($0, presentation, refusal: refused[$0.index]) }
        renditions = SeguePackager.Rendition.principal.flatMap { rendition in
            let preferred = presentation.preferredContainer(for: rendition)
            return presentations.flatMap { presentation in
                presentation.containers.sorted { $0.rawValue > $1.rawValue }.map {
                    Rendition(rendition, $0, of: presentation, isPreferred: $0 == preferred)
                }
            }
        }
    }

    /// The text for a terminal.
    var text: String {
        var lines = [
            "\(file): \(container), \(decimal(durationSeconds)) s" + (title.map { ", \"\($0)\"" } ?? ""),
            "  \(segments) segments of \(decimal(shortestSegmentSeconds)) to \(decimal(longestSegmentSeconds)) s"
                + ", target duration \(targetDuration) s"
                + (discontinuities > 0 ? ", \(discontinuities) discontinuities" : "")
                + (firstCutsSeconds.isEmpty ? "" : "; cuts at \(firstCutsSeconds.map(decimal).joined(separator: ", "))")
                + (segments > firstCutsSeconds.count + 1 ? " s …" : firstCutsSeconds.isEmpty ? "" : " s"),
        ]
        lines.append(
            "  opened in \(decimal(index.milliseconds)) ms; index from \(index.source), "
                + "\(index.bytesRead) bytes read of a file of \(index.fileBytes)"
                + (index.bytesRead > index.fileBytes ? ", parts of it more than once" : "")
        )
        if device != DeviceProfile.any.name { lines.append("  for \(device):") }
        lines += streams.map { "  stream \($0.number): \($0.kind), \($0.codec)\($0.details)" }
        for rendition in renditions {
            let name = "  \(rendition.name) in \(rendition.container)\(rendition.isPreferred ? " (preferred)" : "")"
            if let refusal = rendition.refusal {
                lines.append("\(name): refused, \(refusal)")
                continue
            }
            let tracks = rendition.tracks.map { track in
                "stream \(track.stream) \(track.treatment) (\(track.codecs)\(track.reason.map { "; \($0)" } ?? ""))"
            }
            let rates = [rendition.averageBitsPerSecond, rendition.peakBitsPerSecond].compactMap { $0 }
                .map { "\(($0 + 500) / 1000)" }.joined(separator: ", at most ")
            lines.append("\(name): \(tracks.joined(separator: ", ")); \(rates) kbit/s")
        }
        return lines.joined(separator: "\n")
    }

    private func decimal(_ value: Double) -> String { DecimalText.short(value, places: 3) }
}

extension FileProbe.Stream {
    fileprivate init(_ stream: StreamInfo, _ presentation: Presentation, refusal: String?) {
        number = stream.index
        kind = stream.isAttachedPicture ? "cover art" : stream.kind.rawValue
        codec = stream.kind == .audio || stream.kind == .video ? stream.codecWords : stream.codec
        var details: [String] = []
        if stream.width > 0 { details.append("\(stream.width)x\(stream.height)") }
        if !stream.turn.isUpright { details.append("shown \(stream.turn.words)") }
        if let vision = stream.dolbyVision { details.append(vision.words) }
        if stream.kind == .video, !stream.isAttachedPicture, let rate = stream.averageFrameRate {
            details.append("\((rate.seconds * 100).rounded() / 100) frames/s")
        }
        if stream.sampleRate > 0 { details.append("\(stream.sampleRate) Hz, \(stream.channels) channels") }
        if let language = stream.language { details.append(language) }
        if presentation.offersAudio(stream.index) {
            details.append("served as \(SeguePackager.Rendition.audio(stream.index).rawValue)")
        }
        if presentation.subtitles.contains(where: { $0.index == stream.index }) {
            details.append("served as WebVTT")
        }
        if presentation.burnableSubtitles.contains(where: { $0.index == stream.index }) {
            details.append("drawn into the video with burn=\(stream.index)")
        }
        if let refusal { details.append("not served: \(refusal)") }
        self.details = details.map { ", \($0)" }.joined()
    }
}

extension FileProbe.Track {
    fileprivate init(_ track: TrackDescription) {
        stream = track.sourceStream
        kind = track.kind.rawValue
        treatment = track.treatment == .copy ? "copied" : "transcoded"
        reason = track.reason
        codecs = track.codecString
        bitsPerSecond = track.estimatedBitsPerSecond
    }
}

extension FileProbe.Rendition {
    fileprivate init(
        _ rendition: SeguePackager.Rendition,
        _ container: SegmentContainer,
        of presentation: Presentation,
        isPreferred: Bool
    ) {
        name = rendition.rawValue
        self.container = container.rawValue
        self.isPreferred = isPreferred
        do throws(PackagingError) {
            let description = try presentation.rendition(rendition, in: container)
            tracks = description.tracks.map(FileProbe.Track.init)
            peakBitsPerSecond = description.peakBandwidth
            averageBitsPerSecond = description.averageBandwidth
            refusal = nil
        } catch {
            (peakBitsPerSecond, averageBitsPerSecond) = (nil, nil)
            tracks = []
            refusal = error.message
        }
    }
}
