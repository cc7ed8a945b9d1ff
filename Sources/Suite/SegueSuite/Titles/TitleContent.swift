internal import SegueBase
internal import SegueByteCoding
internal import SegueComparison
internal import SegueFetch
internal import SegueFFmpeg
internal import SeguePackager
internal import SeguePlayerModel
internal import SeguePlaylists
internal import SegueVerification

/// Compares the content of a title's server with the source file, once for all cases.
struct TitleContent {
    private let title: Title
    private let plan: TitlePlan
    private let origin: TitleOrigin
    private let memory: FileMemory?
    private let progress: FileProgress
    private let cores: Cores
    private var outcomes: [Rendition: [ContentCheck.Outcome]] = [:]

    /// `memory` are earlier verifications of the source; nil for none.
    init(
        _ title: Title,
        _ plan: TitlePlan,
        origin: TitleOrigin,
        memory: FileMemory?,
        progress: FileProgress,
        cores: Cores
    ) {
        (self.title, self.plan, self.origin, self.memory) = (title, plan, origin, memory)
        (self.progress, self.cores) = (progress, cores)
    }

    /// The results for all streams that a rendition's players may load; empty without a source.
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
            // The server's content is fetched each time; only the comparison of the same bytes is not repeated.
            let what = memory == nil ? nil : try name(of: delivered)
            if let what, let found = memory?.recall([ContentCheck.Outcome].self, what, of: .bytes) {
                return found.value.map { outcome in
                    var outcome = outcome
                    outcome.before = found.date
                    return outcome
                }
            }
            let reports = try StreamComparison.compare(
                source: source,
                delivered: delivered,
                allowance: title.allowance,
                cores: cores
            )
            let outcomes = reports.map { report in
                var outcome = ContentCheck.Outcome()
                outcome.findings = report.differences.map {
                    Finding(
                        rule: $0.rule.rawValue,
                        message: "\(report.name): \($0.message)",
                        evidence: FindingEvidence(at: .init(rendition: report.name, position: $0.seconds))
                    )
                }
                outcome.avOffsetMilliseconds = report.metrics.avOffsetMilliseconds
                return outcome
            }
            if let what { keep(outcomes, as: what) }
            return outcomes
        } catch {
            return [ContentCheck.Outcome(findings: [Finding(.undelivered, Message(quoting: "\(error)"))])]
        }
    }

    /// The key of a comparison: everything it depends on besides the source.
    private func name(of delivered: [DeliveredStream]) throws -> String {
        let words = "\(title.allowance) \(try delivered.map { try $0.checksum() })"
        return "title \(Checksum.sha256(Array(words.utf8)))"
    }

    private func keep(_ outcomes: [ContentCheck.Outcome], as name: String) {
        let kept = outcomes.map { outcome in
            var outcome = outcome
            outcome.findings = outcome.findings.map { $0.without(title.secrets) }
            return outcome
        }
        let words = kept.flatMap(\.findings).map(\.message.text)
        memory?.keep(kept, as: name, of: .bytes, words: words, isDoubtful: !words.isEmpty)
    }
}

extension DeliveredStream {
    /// A checksum over the playlist and all bytes of the stream.
    ///
    /// - Throws: An error of fetching a segment.
    fileprivate func checksum() throws -> String {
        let sum = try LongChecksum()
        func add(_ bytes: [UInt8]) throws {
            try withUnsafeBytes(of: bytes.count) { try sum.add($0) }
            try bytes.withUnsafeBytes { try sum.add($0) }
        }
        try add(Array("\(name) \(language.debugDescription) \(segments)".utf8))
        let sections = Set(segments.compactMap(\.initSection)).sorted()
        for section in sections { try add(try initSection(section)) }
        for number in segments.indices { try add(try bytes(number)) }
        return try sum.digits()
    }
}

extension DeliveredStream {
    /// A stream of a title's server, fetched on demand.
    ///
    /// - Throws: ``TitleError`` if the playlist cannot be fetched.
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
