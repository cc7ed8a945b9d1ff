internal import SegueBase
internal import SegueComparison
internal import SegueConformance

/// The result of checking a delivered playlist with its resources by the rules of HLS, independent of a profile.
struct SpecificationCheck: Codable {
    /// The broken rules, each once for all of its places, without their requirements.
    private var broken: [Finding] = []
    /// Sentences about resources that were not checked.
    private var leftOut: [String] = []

    /// Checks a playlist.
    ///
    /// - Parameters:
    ///   - loader: Loads the playlist and its resources.
    ///   - waivers: The accepted findings.
    ///   - base: The prefix of URLs that messages omit.
    init(_ loader: PresentationLoader, waiving waivers: [Waiver] = [], base: String = "") throws {
        let look = try loader.look()
        let counted = look.findings.filter { finding in !waivers.contains { $0.covers(finding) } }
        broken = FindingGroup.groups(counted).filter { $0.severity > .advice }.map { Finding($0, base: base) }
        leftOut = look.leftOut
    }

    /// A check that failed as a whole.
    init(failure: String) { leftOut = [failure] }

    /// The messages, which may contain the name of a file.
    var words: [String] { broken.map(\.message.text) + leftOut }

    /// True if a temporary read error may be the cause.
    var isDoubtful: Bool { !broken.isEmpty || !leftOut.isEmpty }

    /// The findings by the texts of a profile, violations first.
    func findings(in profile: RequirementProfile) -> [Finding] {
        guard let texts = profile.texts else { return [] }
        var findings: [Finding] = broken.compactMap { finding in
            guard let rule = ViolatedRequirement.rules[finding.rule] else { return nil }
            var finding = finding
            finding.requirement = ViolatedRequirement(of: rule, in: texts)
            return finding.requirement == nil ? nil : finding
        }
        if let first = leftOut.first {
            let more = leftOut.count > 1 ? "; and \(leftOut.count - 1) more" : ""
            findings.append(Finding(.unchecked, "not checked: \(quoting: first)\(more)"))
        }
        return findings.filter { !$0.isRemark } + findings.filter(\.isRemark)
    }
}

extension Finding {
    /// The finding of broken rules with one cause.
    fileprivate init(_ group: FindingGroup, base: String) {
        let place = group.places[0].description
        let shown = !base.isEmpty && place.hasPrefix(base) ? String(place.dropFirst(base.count)) : place
        var message: Message = "\(group.message); \(value: shown)"
        if group.places.count > 1 { message += ", and \(group.places.count - 1) more" }
        var evidence = FindingEvidence()
        if let values = group.first.comparison, values.measured.isFinite, values.expected.isFinite {
            (evidence.measured, evidence.expected) = (.number(values.measured), .number(values.expected))
            evidence.unit = values.unit.rawValue
        }
        self.init(rule: ViolatedRequirement.name(of: group.rule), message: message, evidence: evidence)
    }
}
