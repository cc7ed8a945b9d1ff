internal import Events
internal import HLS
internal import Media
internal import Notation
internal import Origin
internal import Packager
internal import Timeline
internal import Verification

/// Compares what is delivered of a file with the file, once for each rendition.
struct ContentCheck {
    /// What came of one rendition.
    struct Outcome {
        var findings: [Finding] = []
        var missingSamples: Int?
        var repeatedSamples: Int?
        var avOffsetMilliseconds: Double?
    }

    private let origin: ItemOrigin
    private let presentation: Presentation
    private let progress: FileProgress
    private let cores: Cores
    private let cancellation: Cancellation
    private var outcomes: [Rendition: Outcome] = [:]
    private let compared = ComparedSounds()
    private let known = KnownDamage()
    private var damage: SourceDamage??
    /// Where the damage of what nobody else decodes is looked for beside all else; nil where there is one core only.
    private var damageAhead: ValueAhead<Void>?

    init(
        origin: ItemOrigin,
        presentation: Presentation,
        progress: FileProgress,
        cores: Cores,
        cancellation: Cancellation
    ) {
        self.origin = origin
        self.presentation = presentation
        self.progress = progress
        self.cores = cores
        self.cancellation = cancellation
    }

    /// What came of a rendition that the server has.
    mutating func outcome(of rendition: Rendition) -> Outcome {
        if let outcome = outcomes[rendition] { return outcome }
        let outcome = compare(rendition)
        outcomes[rendition] = outcome
        return outcome
    }

    /// What libav cannot decode of the file itself; nil where it decodes all without a word.
    ///
    /// - Parameter isAllDelivered: Whether nothing was found wrong with what was delivered.
    /// - Returns: A remark.
    mutating func sourceDamage(isAllDelivered: Bool) -> Finding? {
        let plan = presentation.plan
        let words = wholeDamage()?.words(
            origin: plan.origin.seconds,
            end: (plan.duration.seconds, presentation.source.claimedDuration?.seconds),
            isAllDelivered: isAllDelivered
        )
        return words.map { Finding(.sourceDamaged, $0) }
    }

    /// What makes the file one with nothing playable in it, though it is delivered: all of it is damaged.
    ///
    /// Something is decoded of nearly every file soon. What else is damaged is found out while its content is compared.
    mutating func nothingPlayable() -> Finding? {
        let streams = streams
        progress.reached("decoding the file")
        let path = origin.item.filePath
        let first = try? SourceDamage(of: path, streams: streams.all, isForNothing: true, cancellation)
        guard let first, first.hasDecoded else {
            damage = .some(first)
            return first?.wordsForNothing.map { Finding(.unplayable, $0) }
        }
        if cores.most > 1, !streams.copied.isEmpty {
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
        let found = try? known.damage(of: origin.item.filePath, streams: streams.all, cancellation)
        damage = .some(found)
        return found
    }

    /// The streams of the source that are delivered, and those among them that are copied wherever they are: to compare
    /// these takes no decoding.
    private var streams: (all: Set<Int>, copied: Set<Int>) {
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
            return Outcome(
                findings: report.differences.map { difference in
                    let place = difference.seconds.map { " at \(DecimalText.short($0)) s" } ?? ""
                    return Finding(
                        rule: difference.rule.rawValue,
                        message: "\(rendition.rawValue) rendition\(place): \(difference.message)"
                    )
                },
                missingSamples: hasSound ? Int(report.metrics.missingSamples) : nil,
                repeatedSamples: hasSound ? Int(report.metrics.repeatedSamples) : nil,
                avOffsetMilliseconds: report.metrics.avOffsetMilliseconds
            )
        } catch {
            let message = "\(rendition.rawValue) rendition: \(error)"
            return Outcome(findings: [Finding(.undelivered, message)])
        }
    }

    /// The rendition as its playlist names it.
    private func delivery(of rendition: Rendition) throws -> Delivery {
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
