internal import Foundation
internal import SegueBase
internal import SegueConformance

/// The JSON of an alert that begins or ends, in the form of Alertmanager's webhook, version 4.
package struct AlertNotice: Sendable {
    package let alert: Alert

    /// `firing` or `resolved`.
    package var status: String { alert.isResolved ? "resolved" : "firing" }

    /// The body of a webhook.
    package var json: String {
        let labels = alert.labels
        var annotations = [
            "description": "\(alert.rule.requirement) (\(alert.rule.clause)); \(alert.rule.fix)",
            "summary": alert.message,
        ]
        if alert.isCutOff { annotations["end"] = "the watch ended; the rule may still be broken" }
        let group = labels.filter { $0.key == "alertname" || $0.key == "stream" }
        let names = group.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.debugDescription)" }
        let body = Body(
            groupKey: "{}:{\(names.joined(separator: ", "))}",
            status: status,
            groupLabels: group,
            commonLabels: labels,
            commonAnnotations: annotations,
            alerts: [
                Body.Entry(
                    status: status,
                    labels: labels,
                    annotations: annotations,
                    startsAt: Self.text(alert.began),
                    endsAt: alert.ended.map(Self.text) ?? "0001-01-01T00:00:00Z",
                    generatorURL: alert.key.playlist,
                    fingerprint: Self.fingerprint(labels)
                )
            ]
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(body)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private struct Body: Encodable {
        struct Entry: Encodable {
            let status: String
            let labels: [String: String]
            let annotations: [String: String]
            let startsAt: String
            let endsAt: String
            let generatorURL: String
            let fingerprint: String
        }

        var version = "4"
        let groupKey: String
        var truncatedAlerts = 0
        let status: String
        var receiver = "segue"
        let groupLabels: [String: String]
        let commonLabels: [String: String]
        let commonAnnotations: [String: String]
        var externalURL = ""
        let alerts: [Entry]
    }

    private static func text(_ date: Double) -> String {
        ISO8601Time.text(milliseconds: Int64(exactly: (date * 1000).rounded()) ?? 0)
    }

    /// A hash of the labels (FNV-1a), the same for the beginning and the end.
    private static func fingerprint(_ labels: [String: String]) -> String {
        let text = labels.sorted { $0.key < $1.key }.map { "\($0.key)\u{FF}\($0.value)\u{FF}" }.joined()
        let sum = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
