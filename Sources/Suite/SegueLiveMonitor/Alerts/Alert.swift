internal import SegueBase
internal import SegueConformance

/// A broken rule of one playlist, from its first finding until it holds no longer.
package struct Alert: Sendable {
    /// The identity of an alert; further findings with the same one belong to it.
    struct Key: Hashable, Sendable {
        let stream: String
        let rule: String
        let playlist: String
    }

    let key: Key
    let severity: Severity
    /// The message of the first finding.
    let message: String
    let rule: Rule
    /// The time of the first finding, in seconds since 1970.
    let began: Double
    /// The time at which it ended, in seconds since 1970; nil while it fires.
    var ended: Double?
    /// True if it ended with the watch, while its rule was still broken.
    var isCutOff = false

    /// True once it has ended.
    package var isResolved: Bool { ended != nil }

    /// The rule, the stream, and the playlist.
    package var labels: [String: String] {
        let severity =
            switch severity {
            case .must: "critical"
            case .should: "warning"
            case .advice: "info"
            }
        return ["alertname": key.rule, "playlist": key.playlist, "severity": severity, "stream": key.stream]
    }
}

/// The alerts that fire.
struct AlertTracker: Sendable {
    /// The time without another finding after which an alert ends, in seconds.
    static let quiet = 60.0

    private let profile: Profile
    private var firing: [Alert.Key: (alert: Alert, last: Double)] = [:]

    /// A tracker of the findings that count by a profile.
    init(_ profile: Profile) { self.profile = profile }

    /// Handles a finding; returns an alert that begins with it.
    mutating func take(_ finding: StreamWatching.Finding) -> Alert? {
        let broken = finding.finding.broken
        guard let severity = broken.rule.severity(in: profile) else { return nil }
        let key = Alert.Key(stream: finding.stream, rule: broken.rule.id, playlist: broken.place.url)
        if firing[key] != nil {
            firing[key]?.last = finding.date
            return nil
        }
        let alert = Alert(
            key: key,
            severity: severity,
            message: broken.message.text,
            rule: broken.rule,
            began: finding.date
        )
        firing[key] = (alert, finding.date)
        return alert
    }

    /// Returns the alerts of a stream that have ended: those without a finding for a while whose rule holds again.
    mutating func settle(_ stream: String, broken: Set<HeldCondition>, at date: Double) -> [Alert] {
        let ended = firing.filter { key, value in
            key.stream == stream && date - value.last >= Self.quiet
                && !broken.contains(HeldCondition(rule: key.rule, playlist: key.playlist))
        }
        return ended.sorted { $0.value.alert.began < $1.value.alert.began }.map { key, value in
            firing[key] = nil
            var alert = value.alert
            alert.ended = date
            return alert
        }
    }

    /// Ends all alerts of a stream that is no longer watched.
    mutating func end(_ stream: String, at date: Double) -> [Alert] {
        let open = firing.filter { $0.key.stream == stream }
        return open.sorted { $0.value.alert.began < $1.value.alert.began }.map { key, value in
            firing[key] = nil
            var alert = value.alert
            (alert.ended, alert.isCutOff) = (date, true)
            return alert
        }
    }
}
