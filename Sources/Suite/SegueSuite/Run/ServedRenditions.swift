internal import SegueBase
internal import SegueFFmpeg
internal import SeguePackager
internal import SeguePlayerModel

/// The renditions of a file that are served, and the reasons why others are not.
struct ServedRenditions: Codable {
    /// The peak bit rate of what is played; nil without any.
    let peakBandwidth: Int?

    /// The sample rate of the audio; nil without audio.
    let sampleRate: Int?

    /// Remarks on audio or video that is not served although other streams are.
    let unserved: [Finding]

    /// Remarks on streams that libav cannot decode, which are compared by their packets.
    let undecoded: [Finding]

    /// The finding for a file without playable media; nil if something is served, or could be by a server that
    /// transcodes more.
    let nothingPlayable: Finding?

    /// True if a rendition is not served.
    var isDoubtful: Bool { !refused.isEmpty }

    /// The reasons for missing renditions, by their names.
    private let refused: [String: String]

    init(_ presentation: Presentation) {
        var refused: [Rendition: PackagingError] = [:]
        var peaks: [Int] = []
        var rates: [Int] = []
        var kinds: Set<StreamKind> = []
        var copied: Set<Int> = []
        for rendition in Rendition.principal {
            do throws(PackagingError) {
                let container = presentation.preferredContainer(for: rendition)
                let description = try presentation.rendition(rendition, in: container)
                peaks.append(description.peakBandwidth)
                rates += description.tracks.filter { $0.kind == .audio }.map(\.sampleRate).prefix(1)
                copied.formUnion(description.tracks.filter { $0.treatment == .copy }.map(\.sourceStream))
                kinds.formUnion(description.tracks.map { $0.kind == .video ? .video : .audio })
            } catch {
                refused[rendition] = error
            }
        }
        self.refused = Dictionary(uniqueKeysWithValues: refused.map { ($0.key.rawValue, $0.value.message) })
        nothingPlayable = Self.nothingPlayable(refused)
        unserved = Self.unserved(of: presentation.source, kinds: kinds, refused: refused)
        undecoded = presentation.source.streams.filter { copied.contains($0.index) && !$0.canDecode }.map { stream in
            let words: Message = "stream \(stream.index) (\(stream.codecWords)) was compared by its packets"
            return Finding(.undecoded, "\(words), not decoded: libav has no decoder for it")
        }
        peakBandwidth = peaks.max()
        sampleRate = rates.first
    }

    /// The item to play: the full rendition if it is served, otherwise the audio-only one; nil if neither is.
    func item(of origin: ItemOrigin) -> ItemAddress? {
        let audio = isServed(.background) ? origin.playlist(of: .background) : nil
        guard isServed(.full) else { return audio.map { ItemAddress(full: $0, background: $0) } }
        return ItemAddress(
            full: origin.playlist(of: .full),
            background: audio,
            multivariant: origin.multivariantPlaylist
        )
    }

    private func isServed(_ rendition: Rendition) -> Bool { refused[rendition.rawValue] == nil }

    /// The served renditions that a scenario plays; audio-only replaces a full rendition that is not served.
    func renditions(for scenario: Scenario) -> [Rendition] {
        let wanted = scenario.renditions.map { isServed($0) ? $0 : .background }
        return Rendition.principal.filter { wanted.contains($0) && isServed($0) }
    }

    /// The missing renditions that a scenario needs.
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
        return Finding(.unplayable, Message(quoting: distinct.joined(separator: "; ")))
    }

    private static func unserved(
        of source: MediaDescription,
        kinds: Set<StreamKind>,
        refused: [Rendition: PackagingError]
    ) -> [Finding] {
        [(StreamKind.video, "video", Rendition.full), (.audio, "audio", .background)].compactMap {
            kind,
            name,
            rendition in
            let streams = source.streams.filter { $0.kind == kind && !$0.isAttachedPicture }
            guard !kinds.isEmpty, !kinds.contains(kind), let stream = streams.first else { return nil }
            let reason = refused[rendition]?.message ?? "it has no media"
            return Finding(.unserved, "the \(name) stream (\(stream.codec)) is not served: \(quoting: reason)")
        }
    }

    /// The reason for missing audio; nil if there is audio.
    var noAudio: String? { refused[Rendition.background.rawValue] }

    private func refusal(_ rendition: Rendition) -> Finding? {
        refused[rendition.rawValue].map { Finding(.refused, "no \(rendition.rawValue) rendition: \(quoting: $0)") }
    }
}
