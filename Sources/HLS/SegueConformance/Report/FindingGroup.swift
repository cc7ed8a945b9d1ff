/// Findings that have one cause: the same rule, broken in the same way at one place or many.
package struct FindingGroup: Sendable {
    /// The rule.
    package let rule: Rule

    /// How bad it is, by the texts that count.
    package let severity: Severity

    /// What was found at the first place.
    package let message: String

    /// Where, in the order in which it was found; at least one.
    package private(set) var places: [Place]

    /// Findings in groups, each where its first was.
    ///
    /// Two are alike that differ in numbers only: a segment that is missing is as good as the next.
    ///
    /// - Parameters:
    ///   - findings: The findings.
    ///   - profile: The texts that count; what none of them demands is left out.
    /// - Returns: The groups.
    package static func groups(_ findings: [BrokenRule], in profile: Profile = .all) -> [FindingGroup] {
        struct Cause: Hashable {
            let rule: String
            let message: String
        }
        var groups: [FindingGroup] = []
        var known: [Cause: Int] = [:]
        var seen: [Set<Place>] = []
        for finding in findings {
            guard let severity = finding.rule.severity(in: profile) else { continue }
            let cause = Cause(rule: finding.rule.id, message: withoutNumbers(finding.message))
            if let index = known[cause] {
                // The same place twice is the same finding, seen by two ways.
                if seen[index].insert(finding.place).inserted { groups[index].places.append(finding.place) }
            } else {
                known[cause] = groups.count
                seen.append([finding.place])
                groups.append(
                    FindingGroup(
                        rule: finding.rule,
                        severity: severity,
                        message: finding.message,
                        places: [finding.place]
                    )
                )
            }
        }
        return groups
    }

    /// A message with one sign for each number, signs and all.
    private static func withoutNumbers(_ message: String) -> String {
        var result: [UInt8] = []
        for byte in message.utf8 {
            let isOfNumber = (0x30...0x39).contains(byte)
            guard isOfNumber || (byte == 0x2E && result.last == 0x23) else {
                result.append(byte)
                continue
            }
            if result.last != 0x23 { result.append(0x23) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
