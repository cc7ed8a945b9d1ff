internal import SegueBase
internal import SegueComparison
internal import SegueConcurrency
internal import SegueEvents
internal import SegueFFmpeg
internal import SegueOrigin
internal import SeguePackager
internal import SeguePlaylists
internal import SegueVerification

/// Compares what is delivered of a file with the file, once for each rendition.
struct ContentCheck {
    /// What came of one rendition.
    struct Outcome: Codable {
        var findings: [Finding] = []
        var missingSamples: Int?
        var repeatedSamples: Int?
        var avOffsetMilliseconds: Double?
        /// When it was verified, in seconds since 1970, where that was before this run.
        var before: Double?
    }

    /// What is said of the file's own damage.
    private struct DamageWords: Codable {
        /// Where all that libav decodes was delivered.
        var delivered: String?
        /// Where something was not.
        var undelivered: String?
    }

    private let origin: ItemOrigin
    private let memory: FileMemory?
    private let progress: FileProgress
    private let cores: Cores
    private let cancellation: Cancellation
    private var outcomes: [Rendition: Outcome] = [:]
    private let compared = ComparedSounds()
    private let known = KnownDamage()
    private var damage: SourceDamage??
    private var damageWords: DamageWords?
    /// Where the damage of what nobody else decodes is looked for beside all else; nil where there is one core only.
    private var damageAhead: ValueAhead<Void>?

    init(
        origin: ItemOrigin,
        memory: FileMemory? = nil,
        progress: FileProgress,
        cores: Cores,
        cancellation: Cancellation
    ) {
        self.origin = origin
        self.memory = memory
        self.progress = progress
        self.cores = cores
        self.cancellation = cancellation
    }

    /// What came of a rendition that the server has.
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

    /// What libav cannot decode of the file itself; nil where it decodes all without a word.
    ///
    /// - Parameter isAllDelivered: Whether nothing was found wrong with what was delivered.
    mutating func sourceDamage(isAllDelivered: Bool) -> Finding? {
        let words = damageWords ?? memory?.recall(DamageWords.self, "damage", of: .bytes)?.value ?? foundDamageWords()
        damageWords = words
        return (isAllDelivered ? words.delivered : words.undelivered).map { Finding(.sourceDamaged, $0) }
    }

    private mutating func foundDamageWords() -> DamageWords {
        guard let presentation = try? origin.presentation(), let damage = wholeDamage() else { return DamageWords() }
        let plan = presentation.plan
        func words(isAllDelivered: Bool) -> String? {
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
        let all = [found.delivered, found.undelivered].compactMap(\.self)
        memory?.keep(found, as: "damage", of: .bytes, words: all, isDoubtful: !all.isEmpty)
        return found
    }

    /// What makes the file one with nothing playable in it, though it is delivered: all of it is damaged.
    ///
    /// Something is decoded of nearly every file soon. What else is damaged is found out while its content is compared.
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

    /// All that is damaged; nil where that cannot be found out.
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

    /// The streams of the source that are delivered, and those among them that are copied wherever they are: to compare
    /// these takes no decoding.
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
            let hasSound = delivery.description.hasAudio
            let outcome = Outcome(
                findings: report.differences.map { difference in
                    let place = difference.seconds.map { " at \(DecimalText.short($0)) s" } ?? ""
                    return Finding(
                        rule: difference.rule.rawValue,
                        message: "\(rendition.rawValue) rendition\(place): \(difference.message)",
                        FindingEvidence(at: .init(rendition: rendition.rawValue, position: difference.seconds))
                    )
                },
                missingSamples: hasSound ? Int(report.metrics.missingSamples) : nil,
                repeatedSamples: hasSound ? Int(report.metrics.repeatedSamples) : nil,
                avOffsetMilliseconds: report.metrics.avOffsetMilliseconds
            )
            memory?.keep(
                outcome,
                as: rendition.rawValue,
                of: .bytes,
                words: outcome.findings.map(\.message),
                isDoubtful: !outcome.findings.isEmpty
            )
            return outcome
        } catch {
            // What could not be compared may be another time.
            let message = "\(rendition.rawValue) rendition: \(error)"
            return Outcome(findings: [Finding(.undelivered, message)])
        }
    }

    /// The rendition as its playlist names it.
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
        let (origin, progress) = (self.origin, self.progress)
        var delivery = Delivery(
            description: try presentation.rendition(
                rendition,
                in: presentation.preferredContainer(for: rendition)
            ),
            plan: presentation.plan,
            initSegment: try map.map(origin.get) ?? [],
            segmentCount: urls.count
        ) { number in
            progress.reached(
                "comparing segment \(number) of the \(rendition.rawValue) rendition",
                share: Double(number) / Double(max(1, urls.count))
            )
            return try origin.get(urls[number])
        }
        let sides = presentation.source.streams.map { ($0.width, $0.height) }
        // What a container claims may be anything.
        delivery.sourcePixels = sides.map { min(max(0, $0), 1 << 20) * min(max(0, $1), 1 << 20) }.max() ?? 0
        return delivery
    }
}

private struct ContentError: Error, CustomStringConvertible {
    let description: String
}
