internal import SegueBase
internal import SegueFetch

/// The findings of a watch: all counted, and the first ones of each rule and playlist kept.
package struct FindingLog: Sendable {
    private struct Key: Hashable {
        let rule: String
        let url: String
    }

    /// The maximum number of kept findings of one rule in one playlist.
    private static let limit = 100

    /// The kept findings in order.
    package private(set) var kept: [LiveFinding] = []

    /// The number of findings by rule.
    package private(set) var counts: [String: Int] = [:]

    private var keptOf: [Key: Int] = [:]

    package init() {}

    package mutating func add(_ finding: LiveFinding) {
        let rule = finding.broken.rule.id
        counts[rule, default: 0] += 1
        let key = Key(rule: rule, url: finding.broken.place.url)
        guard keptOf[key, default: 0] < Self.limit else { return }
        keptOf[key, default: 0] += 1
        kept.append(finding)
    }

    /// Creates the report of a watch.
    ///
    /// - Parameters:
    ///   - look: The result of a single look before the watch.
    ///   - profile: The texts whose requirements count.
    /// - Returns: The report and a line with the figures.
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
            extent: ValidationReport.Extent(
                playlists: watch.parts.count,
                segments: look.extent.segments + figures.segments,
                bytes: look.extent.bytes + figures.bytes
            ),
            leftOut: look.leftOut
        )
        return (report, watch.figures.text)
    }
}

extension WatchFigures {
    /// The figures in one line.
    package var text: String {
        var parts: [String] = []
        let loads = reloads + failures
        parts.append("\(loads) \(loads == 1 ? "reload" : "reloads"), \(failures) failed")
        if let latency { parts.append("\(DisplayText.tenths(latency)) behind the clock") }
        if let partGap { parts.append("parts at most \(DisplayText.tenths(partGap)) apart") }
        let number = stalls == 0 ? "no stall" : stalls == 1 ? "1 stall" : "\(stalls) stalls"
        parts.append(stalls == 0 ? number : "\(number), \(DisplayText.tenths(stallSeconds)) in total")
        if connection.lost > 0 {
            parts.append("\(connection.lost) of \(connection.kept) requests on kept connections repeated")
        }
        parts.append(media)
        return parts.joined(separator: "; ")
    }

    /// The media that was looked at, and what was not.
    private var media: String {
        let rest = max(0, segments - samples)
        guard samples > 0 else { return "no media loaded, only heads of segments" }
        let size = DecimalText.fixed(Double(mediaBytes) / 1e6, places: 1)
        let broken = brokenSamples > 0 ? ", \(brokenSamples) of them broken" : ""
        let looked = "media of \(samples) of \(segments) segments inspected\(broken) (\(size) MB), \(decoded) decoded"
        return rest == 0 ? looked : looked + "; not looked at: the media of the other \(rest)"
    }
}
