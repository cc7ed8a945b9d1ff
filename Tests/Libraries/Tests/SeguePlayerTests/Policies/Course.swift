import SeguePlayer

/// What came of a story: what was heard and seen, which items were made and what became of them, and when.
struct Course: Sendable {
    /// What happened, without its times, and when and where in the item it did.
    private var events: [String: [(at: Double, position: Double)]] = [:]
    private let report: Report

    private static let kinds = [
        "sound.", "picture.", "queue.", "item.", "background.", "platform.rejected", "platform.lifecycle",
    ]

    /// How far apart times may be.
    ///
    /// Calls of an app's own code come one after the other, those of a policy all at once, of
    /// which a packet may be the sooner.
    private static let tolerance = 0.002

    /// The same where the app was suspended.
    ///
    /// What it was owed it is told when it runs again: a policy before anything else,
    /// and an app's own code when it has its turn, by which the app is about to be on the screen.
    private static let toleranceOfSleepers = 0.301

    @MainActor init(_ world: World) {
        report = world.report
        for line in world.log.split(separator: "\n") {
            var fields = line.dropFirst().dropLast().split(separator: ",")
            guard Self.kinds.contains(where: { line.contains("\"kind\":\"\($0)") }) else { continue }
            let (at, position) = (Self.take("t", &fields), Self.take("position", &fields))
            // A policy asks for time under its own name.
            fields.removeAll { $0.hasPrefix("\"policy\":") }
            events[fields.joined(separator: ","), default: []].append((at, position))
        }
    }

    private static func take(_ name: String, _ fields: inout [Substring]) -> Double {
        guard let index = fields.firstIndex(where: { $0.hasPrefix("\"\(name)\":") }) else { return 0 }
        return Double(fields.remove(at: index).dropFirst(name.utf8.count + 3)) ?? 0
    }

    /// What differs, a line each.
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
