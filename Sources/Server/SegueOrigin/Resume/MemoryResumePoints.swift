import Synchronization

/// Resume positions that last as long as the program runs.
package final class MemoryResumePoints: ResumePoints {
    /// The maximum number of people.
    private static let personLimit = 1000

    private let people = Mutex<[String: [String: ResumePoint]]>([:])

    package init() {}

    package func points(of identity: String) -> [ResumePoint] {
        people.withLock { ($0[identity] ?? [:]).values.sorted(by: ResumePoint.isBefore) }
    }

    package func keep(_ point: ResumePoint, of identity: String) -> ResumePoint {
        people.withLock { people in
            if people[identity] == nil, people.count >= Self.personLimit { people.removeAll() }
            let kept = ResumePoint.merged(people[identity]?[point.id], with: point)
            people[identity, default: [:]][point.id] = kept
            if let own = people[identity], own.count > ResumePoint.most,
                let oldest = own.values.max(by: ResumePoint.isBefore)
            {
                people[identity]?[oldest.id] = nil
            }
            return kept
        }
    }

    package func forget(_ id: String, of identity: String) {
        people.withLock { $0[identity]?[id] = nil }
    }
}
