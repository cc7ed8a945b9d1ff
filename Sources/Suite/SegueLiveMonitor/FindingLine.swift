internal import Foundation
internal import SegueBase
package import SegueConformance

/// A finding as one line.
extension StreamWatching.Finding {
    private struct Line: Encodable {
        let date: String
        let at: Double
        let stream: String
        let rule: String
        let clause: String
        let severity: Severity
        /// True if none of the profile's texts has the rule; absent for a finding that counts.
        let uncounted: Bool?
        let playlist: String
        let segment: Int?
        let message: String
        let measured: Double?
        let expected: Double?
        let unit: Comparison.Unit?
    }

    private var time: String {
        UTCTime(secondsSince1970: Int64(exactly: date.rounded(.down)) ?? 0).clock
    }

    /// The line for people: time, severity, rule, message, and place.
    ///
    /// - Returns: The line without its end; nil for a rule that none of the profile's texts has.
    package func text(in profile: Profile = .all) -> String? {
        let broken = finding.broken
        guard let severity = broken.rule.severity(in: profile) else { return nil }
        return
            "\(time) \(severity.rawValue): \(broken.rule.id) (\(broken.rule.clause)): \(broken.message); \(broken.place.url)"
    }

    /// The line for programs: a JSON object.
    ///
    /// - Parameter profile: The texts whose findings count.
    package func json(in profile: Profile = .all) -> String {
        let broken = finding.broken
        let severity = broken.rule.severity(in: profile)
        let line = Line(
            date: ISO8601Time.text(milliseconds: Int64(exactly: (date * 1000).rounded()) ?? 0),
            at: finding.at.seconds,
            stream: stream,
            rule: broken.rule.id,
            clause: broken.rule.clause,
            severity: severity ?? broken.rule.severity() ?? .advice,
            uncounted: severity == nil ? true : nil,
            playlist: broken.place.url,
            segment: broken.place.segment,
            message: broken.message.text,
            measured: broken.comparison?.measured,
            expected: broken.comparison?.expected,
            unit: broken.comparison?.unit
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(line)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
