internal import Fetch
internal import HLS
internal import Media
internal import Packager
internal import Player
internal import Timeline
internal import Verification

/// Compares what a title's server delivers with the file that it was made of, once for all cases.
struct TitleContent {
    private let title: Title
    private let plan: TitlePlan
    private let origin: TitleOrigin
    private let progress: FileProgress
    private let cores: Cores
    private var outcomes: [Rendition: [ContentCheck.Outcome]] = [:]

    init(_ title: Title, _ plan: TitlePlan, origin: TitleOrigin, progress: FileProgress, cores: Cores) {
        (self.title, self.plan, self.origin, self.progress, self.cores) = (title, plan, origin, progress, cores)
    }

    /// What came of all that a rendition's players may get; nothing where the title has no source.
    mutating func outcomes(of rendition: Rendition) -> [ContentCheck.Outcome] {
        guard let source = title.source else { return [] }
        if let known = outcomes[rendition] { return known }
        let streams = rendition == .background ? [plan.background].compactMap(\.self) : plan.streams
        let found = compare(streams, with: source)
        outcomes[rendition] = found
        return found
    }

    private func compare(_ streams: [TitlePlan.Stream], with source: String) -> [ContentCheck.Outcome] {
        do {
            let delivered = try streams.map { try DeliveredStream($0, from: origin, progress) }
            let reports = try StreamComparison.compare(
                source: source,
                delivered: delivered,
                allowance: title.allowance,
                cores: cores
            )
            return reports.map { report in
                var outcome = ContentCheck.Outcome()
                outcome.findings = report.differences.map {
                    Finding(rule: $0.rule.rawValue, message: "\(report.name): \($0.message)")
                }
                outcome.avOffsetMilliseconds = report.metrics.avOffsetMilliseconds
                return outcome
            }
        } catch {
            return [ContentCheck.Outcome(findings: [Finding(.undelivered, "\(error)")])]
        }
    }
}

extension DeliveredStream {
    /// What a title's server has of a stream, fetched as it is asked for.
    ///
    /// - Throws: ``TitleError`` where the playlist does not come.
    init(_ stream: TitlePlan.Stream, from origin: TitleOrigin, _ progress: FileProgress) throws {
        let (place, text) = try origin.resource(at: stream.url)
        guard case .media(let playlist) = try Playlist.parse(text, from: place, importing: stream.variables) else {
            throw TitleError(.broken, "\(stream.url) is not a media playlist")
        }
        let base = URIReference.Base(place)
        let segments = playlist.segments.enumerated().filter { !$0.element.isGap }
        var maps: [MediaMap] = []
        let described = segments.map { _, segment in
            var number: Int?
            if let map = segment.map {
                number = maps.firstIndex(of: map) ?? maps.count
                if number == maps.count { maps.append(map) }
            }
            return Segment(
                duration: segment.duration.seconds,
                startsDiscontinuity: segment.startsDiscontinuity,
                initSection: number
            )
        }
        let sequence = playlist.mediaSequence
        self.init(
            name: stream.name,
            segments: described,
            language: stream.language,
            initSection: { [maps] number in
                let map = maps[number]
                let bytes = try origin.bytes(of: base.resolve(map.uri), range: map.byteRange.flatMap(FetchRange.init))
                return try EncryptedMedia.opened(bytes, with: map.keys, sequence: nil, from: place) { key in
                    try origin.bytes(of: key)
                }
            },
            bytes: { number in
                let (index, segment) = segments[number]
                progress.reached("comparing segment \(index) of \(stream.name)")
                let range = segment.byteRange.flatMap(FetchRange.init)
                let bytes = try origin.bytes(of: base.resolve(segment.uri), range: range)
                let number = sequence.addingReportingOverflow(index).partialValue
                return try EncryptedMedia.opened(bytes, with: segment.keys, sequence: number, from: place) { key in
                    try origin.bytes(of: key)
                }
            }
        )
    }
}
