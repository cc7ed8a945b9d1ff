/// The connections with work for the next iteration, each once.
struct WorkQueue {
    private var ids: [UInt64] = []
    private var known: Set<UInt64> = []

    var isEmpty: Bool { ids.isEmpty }

    mutating func add(_ id: UInt64) { if known.insert(id).inserted { ids.append(id) } }

    mutating func takeAll() -> [UInt64] {
        defer {
            ids.removeAll(keepingCapacity: true)
            known.removeAll(keepingCapacity: true)
        }
        return ids
    }
}
