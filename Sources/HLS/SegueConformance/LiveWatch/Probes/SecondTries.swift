internal import SegueBase

/// The resources of one kind that fail with the first request and load with the second.
struct SecondTries: Sendable {
    /// The number of resources after which older ones count half.
    private static let memory = 100
    /// Choice: three are no coincidence, if they are at least a fiftieth.
    private static let least = 3
    private static let leastShare = 50

    /// The kind of the resources, in the plural.
    private let kind: Message
    private var all = 0
    private var late = 0
    private var isReported = false
    private var isExcused = false

    init(_ kind: Message) { self.kind = kind }

    /// True if more resources fail at the first request than by coincidence.
    var isLasting: Bool { late >= Self.least && late * Self.leastShare >= all }

    /// Excuses the next resource, since the server wants a pause before another request.
    mutating func excuse() { isExcused = true }

    /// Counts a loaded resource after its failures; returns the breach when it begins to last.
    ///
    /// Several failures in a row are an outage, which has rules of its own.
    mutating func load(after failures: Int) -> [Breach] {
        all += 1
        if failures == 1, !isExcused { late += 1 }
        isExcused = false
        if all > 2 * Self.memory { (all, late) = (all / 2, late / 2) }
        defer { isReported = isLasting }
        guard isLasting, !isReported else { return [] }
        let share: Message = "\(late) of \(all) \(kind) failed with the first request and succeeded later"
        return [Breach(ClientRules.first.rule, share)]
    }
}
