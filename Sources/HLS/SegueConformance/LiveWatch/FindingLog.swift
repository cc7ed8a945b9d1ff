/// What has been found so far: all of it counted, and the first of each rule and playlist kept.
package struct FindingLog: Sendable {
    private struct Key: Hashable {
        let rule: String
        let url: String
    }

    /// How many of a rule are kept of one playlist.
    private static let most = 100

    /// What is kept, in order.
    package private(set) var kept: [LiveFinding] = []

    /// How often each rule was broken.
    package private(set) var counts: [String: Int] = [:]

    private var keptOf: [Key: Int] = [:]

    /// Nothing.
    package init() {}

    /// Adds a finding.
    package mutating func add(_ finding: LiveFinding) {
        let rule = finding.broken.rule.id
        counts[rule, default: 0] += 1
        let key = Key(rule: rule, url: finding.broken.place.url)
        guard keptOf[key, default: 0] < Self.most else { return }
        keptOf[key, default: 0] += 1
        kept.append(finding)
    }

    /// The report of a watch.
    ///
    /// - Parameters:
    ///   - watch: The watch.
    ///   - look: What one look at the stream found before it was watched.
    ///   - profile: The texts whose demands count.
    ///   - waivers: What does not count.
    /// - Returns: The report, and a line with what was measured.
    package func report(
        of watch: StreamWatch,
        after look: ValidationLook = ValidationLook(),
        profile: Profile = .all,
        waivers: [Waiver] = []
    ) -> (report: ValidationReport, figures: String) {
        let figures = watch.figures
        let report = ValidationReport(
            place: watch.url,
            findings: look.findings + kept.map(\.broken),
            profile: profile,
            waivers: waivers,
            playlists: watch.parts.count,
            segments: look.segments + figures.segments,
            bytes: look.bytes + figures.bytes,
            leftOut: look.leftOut
        )
        return (report, watch.figures.text)
    }
}

extension WatchFigures {
    /// One line for people.
    package var text: String {
        var parts: [String] = []
        parts.append("\(reloads + failures) reloads, \(failures) in vain")
        if let latency { parts.append("\(words(latency)) behind the clock") }
        if let partGap { parts.append("parts at most \(words(partGap)) apart") }
        let number = stalls == 0 ? "no stall" : stalls == 1 ? "1 stall" : "\(stalls) stalls"
        parts.append(stalls == 0 ? number : "\(number) of \(words(stallSeconds)) together")
        return parts.joined(separator: "; ")
    }
}
