import SeguePlayer

/// The outcome of a story: the audible and visible stretches, and the items with their fates and times.
struct Course: Sendable {
    /// The events, without their times, and their times and positions in the item.
    private var events: [String: [(at: Double, position: Double)]] = [:]
    private let report: Report

    private static let kinds = [
        "sound.", "picture.", "queue.", "item.", "background.", "platform.rejected", "platform.lifecycle",
    ]

    /// The maximum difference of times.
    ///
    /// Calls of an app's own code come one after the other, those of a policy all at once, so that a packet may be
    /// earlier in one of them.
    private static let tolerance = 0.002

    /// The maximum difference while the app is suspended.
    ///
    /// Pending notices arrive when the app resumes: in a policy before anything else, and in an app's own code when it
    /// is scheduled, by which time the app is about to be on the screen.
    private static let toleranceOfSleepers = 0.301

    @MainActor init(_ world: World) {
        report = world.report
        for line in world.log.split(separator: "\n") {
            var fields = line.dropFirst().dropLast().split(separator: ",")
            guard Self.kinds.contains(where: { line.contains("\"kind\":\"\($0)") }) else { continue }
            let (at, position) = (Self.take("t", &fields), Self.take("position", &fields))
            // A policy holds background tasks under its own name.
            fields.removeAll { $0.hasPrefix("\"policy\":") }
            events[fields.joined(separator: ","), default: []].append((at, position))
        }
    }

    private static func take(_ name: String, _ fields: inout [Substring]) -> Double {
        guard let index = fields.firstIndex(where: { $0.hasPrefix("\"\(name)\":") }) else { return 0 }
        return Double(fields.remove(at: index).dropFirst(name.utf8.count + 3)) ?? 0
    }

    /// Returns the differences, one per line.
    func differences(from expected: Course) -> [String] {
        let wasSuspended = expected.events.keys.contains { $0.hasSuffix("\"phase\":\"resumed\"") }
        let tolerance = wasSuspended ? Self.toleranceOfSleepers : Self.tolerance
        var found: [String] = []
        for event in Set(events.keys).union(expected.events.keys).sorted() {
            let (ours, theirs) = (events[event] ?? [], expected.events[event] ?? [])
            let isSame =
                ours.count == theirs.count
                && zip(ours, theirs).allSatisfy {
                    abs($0.at - $1.at) <= tolerance && abs($0.position - $1.position) <= tolerance
                }
            if !isSame { found.append("\(event): \(ours), and of the policy \(theirs)") }
        }
        if report.background != expected.report.background || report.stalls != expected.report.stalls
            || abs((report.heard - expected.report.heard) / .seconds(1)) > tolerance
        {
            found.append("\(report), and of the policy \(expected.report)")
        }
        return found
    }
}
