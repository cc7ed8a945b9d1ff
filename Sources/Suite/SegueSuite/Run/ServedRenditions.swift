internal import SegueFFmpeg
internal import SeguePackager
internal import SeguePlayerModel

/// Which renditions of a file are served, and why the others are not.
struct ServedRenditions: Codable {
    /// Bits a second that what is played takes at its peak; nil where nothing is.
    let peakBandwidth: Int?

    /// Samples a second of the sound; nil where none is served.
    let sampleRate: Int?

    /// A remark for sound or film of which nothing is served, though something else of the file is.
    let unserved: [Finding]

    /// What makes the file one with nothing playable in it; nil where something is served, or could be by a server that
    /// transcodes more.
    let nothingPlayable: Finding?

    /// Whether something is not served.
    var isDoubtful: Bool { !refused.isEmpty }

    /// Why renditions are not served, by their names.
    private let refused: [String: String]

    init(_ presentation: Presentation) {
        var refused: [Rendition: PackagingError] = [:]
        var peaks: [Int] = []
        var rates: [Int] = []
        var kinds: Set<StreamKind> = []
        for rendition in Rendition.principal {
            do throws(PackagingError) {
                let container = presentation.preferredContainer(for: rendition)
                let description = try presentation.rendition(rendition, in: container)
                peaks.append(description.peakBandwidth)
                rates += description.tracks.filter { $0.kind == .audio }.map(\.sampleRate).prefix(1)
                kinds.formUnion(description.tracks.map { $0.kind == .video ? .video : .audio })
            } catch {
                refused[rendition] = error
            }
        }
        self.refused = Dictionary(uniqueKeysWithValues: refused.map { ($0.key.rawValue, $0.value.message) })
        nothingPlayable = Self.nothingPlayable(refused)
        unserved = Self.unserved(of: presentation.source, kinds: kinds, refused: refused)
        peakBandwidth = peaks.max()
        sampleRate = rates.first
    }

    /// What is played: the whole where it is served, else the sound alone; nil where neither is.
    func item(of origin: ItemOrigin) -> ItemAddress? {
        let sound = isServed(.background) ? origin.playlist(of: .background) : nil
        guard isServed(.full) else { return sound.map { ItemAddress(full: $0, background: $0) } }
        return ItemAddress(
            full: origin.playlist(of: .full),
            background: sound,
            multivariant: origin.multivariantPlaylist
        )
    }

    private func isServed(_ rendition: Rendition) -> Bool { refused[rendition.rawValue] == nil }

    /// The renditions that a scenario plays, as far as they are served: the sound alone in place of a whole that is not.
    func renditions(for scenario: Scenario) -> [Rendition] {
        let wanted = scenario.renditions.map { isServed($0) ? $0 : .background }
        return Rendition.principal.filter { wanted.contains($0) && isServed($0) }
    }

    /// The refusals that a scenario meets.
    func refusals(for scenario: Scenario) -> [Finding] { scenario.renditions.compactMap(refusal) }

    private static func nothingPlayable(_ refused: [Rendition: PackagingError]) -> Finding? {
        guard Rendition.principal.allSatisfy({ refused[$0] != nil }) else { return nil }
        let couldBe = refused.values.contains { error in
            switch error.reason {
            case .videoNeedsTranscoding, .sparseKeyframes, .unsupportedInContainer, .broken, .changed: true
            default: false
            }
        }
        guard !couldBe else { return nil }
        let reasons = Rendition.principal.compactMap { refused[$0]?.message }
        let distinct = reasons.enumerated().filter { !reasons[..<$0.offset].contains($0.element) }.map(\.element)
        return Finding(.unplayable, distinct.joined(separator: "; "))
    }

    private static func unserved(
        of source: MediaDescription,
        kinds: Set<StreamKind>,
        refused: [Rendition: PackagingError]
    ) -> [Finding] {
        [(StreamKind.video, "film", Rendition.full), (.audio, "sound", .background)].compactMap {
            kind,
            name,
            rendition in
            let streams = source.streams.filter { $0.kind == kind && !$0.isAttachedPicture }
            guard !kinds.isEmpty, !kinds.contains(kind), let stream = streams.first else { return nil }
            let reason = refused[rendition]?.message ?? "nothing is in it"
            return Finding(.unserved, "its \(name) (\(stream.codec)) is not served: \(reason)")
        }
    }

    /// Why there is no sound to be had; nil where there is.
    var noSound: String? { refused[Rendition.background.rawValue] }

    private func refusal(_ rendition: Rendition) -> Finding? {
        refused[rendition.rawValue].map { Finding(.refused, "no \(rendition.rawValue) rendition: \($0)") }
    }
}
