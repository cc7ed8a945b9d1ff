internal import SegueBase

extension ValidationReport {
    /// The report as JSON.
    package var document: Document {
        Document(
            schema: 1,
            playlist: place,
            summary: Document.Summary(
                playlists: extent.playlists,
                segments: extent.segments,
                bytes: extent.bytes,
                mustFix: found.count { $0.severity == .must },
                shouldFix: found.count { $0.severity == .should },
                advice: found.count { $0.severity == .advice },
                waived: waived.count,
                appleMustFix: uncounted.count { $0.severity == .must },
                appleShouldFix: uncounted.count { $0.severity == .should }
            ),
            findings: found.map { Document.Entry($0) }
                + waived.map { Document.Entry($0.finding, reason: $0.waiver.reason) },
            uncounted: uncounted.map { Document.Entry($0) },
            unusedWaivers: unused.map { Document.Unused(rule: $0.rule, reason: $0.reason) },
            notLookedAt: leftOut
        )
    }

    /// The JSON form of a report.
    package struct Document: Encodable, Sendable {
        struct Summary: Encodable {
            let playlists: Int
            let segments: Int
            let bytes: Int
            let mustFix: Int
            let shouldFix: Int
            let advice: Int
            let waived: Int
            /// The numbers of findings that only Apple's specification requires to be fixed, and that do not count.
            let appleMustFix: Int
            let appleShouldFix: Int
        }

        /// The maximum number of places of a finding.
        private static let placeLimit = 1000

        // Size: one property for each member of the JSON object.
        struct Entry: Encodable {
            let rule: String
            let clause: String
            let severity: Severity
            let demand: String
            let fix: String
            /// The known reactions of players, and the source; absent if none are known.
            let players: String?
            let playersSource: String?
            /// The first place.
            let place: Place
            let message: String
            /// The values at the first place, in base units; absent if the check compares no numbers.
            let measured: Double?
            let expected: Double?
            let unit: Comparison.Unit?
            /// The number of places.
            let count: Int
            /// The first places, up to ``placeLimit``.
            let places: [Place]
            let waived: Bool
            /// The reason of the waiver.
            let reason: String?

            init(_ group: FindingGroup) {
                self.init(group.first, severity: group.severity, places: group.places, reason: nil)
            }

            init(_ finding: BrokenRule, reason: String) {
                let severity = finding.rule.severity() ?? .advice
                self.init(finding, severity: severity, places: [finding.place], reason: reason)
            }

            private init(_ finding: BrokenRule, severity: Severity, places: [Place], reason: String?) {
                (rule, clause) = (finding.rule.id, finding.rule.clause)
                (demand, fix) = (finding.rule.requirement, finding.rule.fix)
                (players, playersSource) = (finding.rule.players?.words, finding.rule.players?.source)
                (place, message, self.severity) = (finding.place, finding.message.text, severity)
                // JSON has no infinity.
                let values = finding.comparison.flatMap { $0.measured.isFinite && $0.expected.isFinite ? $0 : nil }
                (measured, expected, unit) = (values?.measured, values?.expected, values?.unit)
                (count, self.places) = (places.count, Array(places.prefix(Document.placeLimit)))
                (waived, self.reason) = (reason != nil, reason)
            }
        }

        struct Unused: Encodable {
            let rule: String
            let reason: String
        }

        let schema: Int
        let playlist: String
        let summary: Summary
        let findings: [Entry]
        /// The findings that only Apple's specification requires to be fixed, and that do not count.
        let uncounted: [Entry]
        let unusedWaivers: [Unused]
        let notLookedAt: [String]
    }
}
