internal import SegueBase
internal import SegueComparison
internal import SegueConcurrency
internal import SegueEvents
internal import SegueFFmpeg
internal import SegueOrigin
internal import SeguePackager
internal import SeguePlaylists
internal import SegueVerification

/// Compares the delivered content of a file with the file, once per rendition.
struct ContentCheck {
    /// The result for one rendition.
    struct Outcome: Codable {
        var findings: [Finding] = []
        var missingSamples: Int?
        var repeatedSamples: Int?
        var avOffsetMilliseconds: Double?
        /// The time of an earlier verification, in seconds since 1970; nil for this run.
        var before: Double?
    }

    /// The messages about the file's own damage.
    private struct DamageWords: Codable {
        /// The message if everything that libav decodes was delivered.
        var delivered: Message?
        /// The message if something was not delivered.
        var undelivered: Message?
    }

    private let origin: ItemOrigin
    private let memory: FileMemory?
    private let progress: FileProgress
    private let cores: Cores
    private let cancellation: Cancellation
    /// Inspects the delivered segments as well; nil to compare them only.
    private let inspected: InspectedSegments?
    private var outcomes: [Rendition: Outcome] = [:]
    private let compared = ComparedAudio()
    private let known = KnownDamage()
    private var damage: SourceDamage??
    private var damageWords: DamageWords?
    /// A concurrent search for damage in streams that are only copied; nil with one core.
    private var damageAhead: ValueAhead<Void>?

    init(
        origin: ItemOrigin,
        inspected: InspectedSegments? = nil,
        memory: FileMemory? = nil,
        progress: FileProgress,
        cores: Cores,
        cancellation: Cancellation
    ) {
        self.inspected = inspected
        self.origin = origin
        self.memory = memory
        self.progress = progress
        self.cores = cores
        self.cancellation = cancellation
    }

    /// The result for a rendition that the server provides.
    mutating func outcome(of rendition: Rendition) -> Outcome {
        if let outcome = outcomes[rendition] { return outcome }
        let outcome = recalled(rendition) ?? compare(rendition)
        outcomes[rendition] = outcome
        return outcome
    }

    private func recalled(_ rendition: Rendition) -> Outcome? {
        guard let found = memory?.recall(Outcome.self, rendition.rawValue, of: .bytes) else { return nil }
        var outcome = found.value
        outcome.before = found.date
        return outcome
    }

    /// A remark on the parts of the file that libav cannot decode; nil without any.
    ///
    /// `isAllDelivered` decides whether the delivered content has no findings.
    mutating func sourceDamage(isAllDelivered: Bool) -> Finding? {
        let words = damageWords ?? memory?.recall(DamageWords.self, "damage", of: .bytes)?.value ?? foundDamageWords()
        damageWords = words
        return (isAllDelivered ? words.delivered : words.undelivered).map { Finding(.sourceDamaged, $0) }
    }

    private mutating func foundDamageWords() -> DamageWords {
        guard let presentation = try? origin.presentation(), let damage = wholeDamage() else { return DamageWords() }
        let plan = presentation.plan
        func words(isAllDelivered: Bool) -> Message? {
            damage.words(
                origin: plan.origin.seconds,
                end: (plan.duration.seconds, presentation.source.claimedDuration?.seconds),
                isAllDelivered: isAllDelivered
            )
        }
        let found = DamageWords(
            delivered: words(isAllDelivered: true),
            undelivered: words(isAllDelivered: false)
        )
        let all = [found.delivered, found.undelivered].compactMap(\.?.text)
        memory?.keep(found, as: "damage", of: .bytes, words: all, isDoubtful: !all.isEmpty)
        return found
    }

    /// The finding for a file that is delivered but cannot be decoded at all.
    ///
    /// Nearly every file decodes something soon. Partial damage is detected during the comparison.
    mutating func nothingPlayable(in presentation: Presentation) -> Finding? {
        let streams = streams(of: presentation)
        progress.reached("decoding the file")
        let path = origin.item.filePath
        let first = try? SourceDamage(of: path, streams: streams.all, isForNothing: true, cancellation)
        guard let first, first.hasDecoded else {
            damage = .some(first)
            return first?.wordsForNothing.map { Finding(.unplayable, $0) }
        }
        damageWords = memory?.recall(DamageWords.self, "damage", of: .bytes)?.value
        if damageWords == nil, cores.most > 1, !streams.copied.isEmpty {
            damageAhead = ValueAhead { [cores, known, progress, cancellation] in
                cores.use {
                    progress.reached("decoding the file")
                    _ = try? known.damage(of: path, streams: streams.copied, cancellation)
                }
            }
        }
        return nil
    }

    /// The whole damage; nil if it cannot be determined.
    private mutating func wholeDamage() -> SourceDamage? {
        if let damage { return damage }
        if let damageAhead { cores.whileWaiting { damageAhead.value } }
        progress.reached("decoding the file")
        let all = (try? origin.presentation()).map { streams(of: $0).all }
        var found: SourceDamage?
        if let all { found = try? known.damage(of: origin.item.filePath, streams: all, cancellation) }
        damage = .some(found)
        return found
    }

    /// The delivered streams of the source, and those of them that are copied in every rendition, whose comparison
    /// needs no decoding.
    private func streams(of presentation: Presentation) -> (all: Set<Int>, copied: Set<Int>) {
        let tracks = Rendition.principal.flatMap { rendition in
            let container = presentation.preferredContainer(for: rendition)
            return (try? presentation.rendition(rendition, in: container).tracks) ?? []
        }.filter { !$0.isStill }
        let all = Set(tracks.map(\.sourceStream))
        return (all, all.subtracting(tracks.filter { $0.treatment != .copy }.map(\.sourceStream)))
    }

    private func compare(_ rendition: Rendition) -> Outcome {
        do {
            let delivery = try delivery(of: rendition)
            let report = try Verifier.verify(
                source: origin.item.filePath,
                delivery: delivery,
                compared: compared,
                known: known,
                cores: cores,
                cancellation: cancellation
            )
            let hasAudio = delivery.description.hasAudio
            let outcome = Outcome(
                findings: report.differences.map { difference in
                    let place: Message = difference.seconds.map { " at \($0, places: 6) s" } ?? ""
                    return Finding(
                        rule: difference.rule.rawValue,
                        message: "\(rendition.rawValue) rendition\(place): \(difference.message)",
                        evidence: FindingEvidence(
                            at: .init(rendition: rendition.rawValue, position: difference.seconds)
                        )
                    )
                },
                missingSamples: hasAudio ? Int(report.metrics.missingSamples) : nil,
                repeatedSamples: hasAudio ? Int(report.metrics.repeatedSamples) : nil,
                avOffsetMilliseconds: report.metrics.avOffsetMilliseconds
            )
            memory?.keep(
                outcome,
                as: rendition.rawValue,
                of: .bytes,
                words: outcome.findings.map(\.message.text),
                isDoubtful: !outcome.findings.isEmpty
            )
            return outcome
        } catch {
            // Content that could not be compared may succeed at another time, so it is not stored.
            let message: Message = "\(rendition.rawValue) rendition: \(quoting: "\(error)")"
            return Outcome(findings: [Finding(.undelivered, message)])
        }
    }

    /// The rendition as its playlist lists it.
    private func delivery(of rendition: Rendition) throws -> Delivery {
        let presentation = try origin.presentation()
        let address = origin.playlist(of: rendition)
        let text = String(decoding: try origin.get(address), as: UTF8.self)
        guard case .media(let playlist) = try Playlist.parse(text) else {
            throw ContentError(description: "\(address) is not a media playlist")
        }
        let base = URIReference.Base(address)
        let urls = playlist.segments.map { base.resolve($0.uri) }
        let map = playlist.segments.first?.map.map { base.resolve($0.uri) }
        let (origin, progress, inspected) = (self.origin, self.progress, self.inspected)
        let initSegment = try map.map(origin.get) ?? []
        var delivery = Delivery(
            description: try presentation.rendition(
                rendition,
                in: presentation.preferredContainer(for: rendition)
            ),
            plan: presentation.plan,
            initSegment: initSegment,
            segmentCount: urls.count
        ) { number in
            progress.reached(
                "comparing segment \(number) of the \(rendition.rawValue) rendition",
                share: Double(number) / Double(max(1, urls.count))
            )
            let answer = try origin.answer(for: urls[number])
            inspected?.inspect(answer, at: urls[number], map: map.map { ($0, initSegment) })
            return answer.bytes
        }
        let sides = presentation.source.streams.map { ($0.width, $0.height) }
        // The dimensions that a container claims are not trusted.
        delivery.sourcePixels = sides.map { min(max(0, $0), 1 << 20) * min(max(0, $1), 1 << 20) }.max() ?? 0
        return delivery
    }
}

private struct ContentError: Error, CustomStringConvertible {
    let description: String
}
