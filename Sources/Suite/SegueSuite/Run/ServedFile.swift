internal import SegueBase
internal import SeguePackager

/// The facts about a file that its cases need, besides the server's responses.
struct ServedFile: Codable {
    /// The key in the verification store.
    static let name = "file"

    let served: ServedRenditions
    /// The finding for a file without playable media; nil for a playable one.
    let nothingPlayable: Finding?
    /// The responses that were made to determine the facts.
    private(set) var answers: StoredResponses
    private let hasVideo: Bool
    private let segments: Int
    private let duration: Rational

    init(_ presentation: Presentation, _ check: inout ContentCheck) {
        served = ServedRenditions(presentation)
        nothingPlayable = served.nothingPlayable ?? check.nothingPlayable(in: presentation)
        answers = StoredResponses()
        hasVideo = presentation.source.hasVideo
        segments = presentation.plan.segments.count
        duration = presentation.plan.duration
    }

    /// The needs of a scenario that the file does not meet; nil if it meets all.
    func missing(_ needs: Scenario.Needs) -> Finding? {
        var missing: [Message] = []
        if needs.audio, let reason = served.noAudio { missing.append("audio: \(quoting: reason)") }
        if needs.video, !hasVideo { missing.append("video: it has none") }
        if needs.seekable, segments < 2 { missing.append("at least 2 segments: it has 1") }
        if needs.seconds > duration {
            missing.append("at least \(needs.seconds.seconds, places: 6) s: it has \(duration.seconds, places: 6) s")
        }
        guard !missing.isEmpty else { return nil }
        return Finding(.needs, "the scenario needs \(missing.joined(separator: ", and "))")
    }

    /// Stores the facts if there are new ones.
    ///
    /// - Parameters:
    ///   - answers: All responses so far.
    ///   - memory: The store; nil for none.
    ///   - isNew: True if the facts were not stored before.
    func keep(_ answers: StoredResponses, in memory: FileMemory?, isNew: Bool) {
        guard let memory, isNew || answers.extent > self.answers.extent else { return }
        var file = self
        file.answers = answers
        // Reopening a file is cheap, and a failure of the disk for a moment must not be stored.
        memory.keep(file, as: Self.name, of: .place, isDoubtful: nothingPlayable != nil || served.isDoubtful)
    }
}
