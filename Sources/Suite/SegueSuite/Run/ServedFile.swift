internal import SegueBase
internal import SeguePackager

/// All that the cases of a file need to know of it, besides what its server answers.
struct ServedFile: Codable {
    /// What it is called where it is kept.
    static let name = "file"

    /// Which renditions are served.
    let served: ServedRenditions
    /// What makes the file one with nothing playable in it; nil where something is.
    let nothingPlayable: Finding?
    /// What was answered when it was found out.
    private(set) var answers: RememberedAnswers
    private let hasPicture: Bool
    private let segments: Int
    private let duration: Rational

    /// What a file that was opened is like.
    init(_ presentation: Presentation, _ check: inout ContentCheck) {
        served = ServedRenditions(presentation)
        nothingPlayable = served.nothingPlayable ?? check.nothingPlayable(in: presentation)
        answers = RememberedAnswers()
        hasPicture = presentation.source.hasVideo
        segments = presentation.plan.segments.count
        duration = presentation.plan.duration
    }

    /// What a scenario needs and the file has not; nil when it has all.
    func missing(_ needs: Scenario.Needs) -> Finding? {
        var missing: [String] = []
        if needs.sound, let reason = served.noSound { missing.append("sound: \(reason)") }
        if needs.picture, !hasPicture { missing.append("a picture: it has none") }
        if needs.seekable, segments < 2 { missing.append("two segments: it has one") }
        if needs.seconds > duration {
            let lengths = [needs.seconds, duration].map { DecimalText.short($0.seconds) }
            missing.append("\(lengths[0]) s: it has \(lengths[1])")
        }
        guard !missing.isEmpty else { return nil }
        return Finding(.needs, "the scenario needs \(missing.joined(separator: ", and "))")
    }

    /// Keeps it, where there is anything new.
    ///
    /// - Parameters:
    ///   - answers: What was answered by now.
    ///   - memory: Where it is kept; nil for nowhere.
    ///   - isNew: Whether it was not kept before.
    func keep(_ answers: RememberedAnswers, in memory: FileMemory?, isNew: Bool) {
        guard let memory, isNew || answers.extent > self.answers.extent else { return }
        var file = self
        file.answers = answers
        // A file that is opened again costs little; one that a disk kept from being read for a moment must not be kept.
        memory.keep(file, as: Self.name, of: .place, isDoubtful: nothingPlayable != nil || served.isDoubtful)
    }
}
