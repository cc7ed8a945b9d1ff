/// The connections of the proxy and the clients of its forward proxies, by number, and those with work to do.
struct WorkTable {
    private var works: [UInt64: any PolledWork] = [:]
    private var numbers: [ObjectIdentifier: UInt64] = [:]
    private var nextNumber: UInt64 = 1
    /// The numbers with work for the next iteration, each once.
    private var ready: [UInt64] = []
    private var known: Set<UInt64> = []

    var all: [any PolledWork] { Array(works.values) }

    subscript(number: UInt64) -> (any PolledWork)? {
        get { works[number] }
        set { works[number] = newValue }
    }

    /// Returns a number that no other work or listener has.
    mutating func newNumber() -> UInt64 {
        defer { nextNumber += 1 }
        return nextNumber
    }

    // MARK: Connections

    mutating func assign(_ number: UInt64, to record: ConnectionRecord) { numbers[ObjectIdentifier(record)] = number }

    func number(of record: ConnectionRecord) -> UInt64? { numbers[ObjectIdentifier(record)] }

    /// Removes a connection; returns whether it was known.
    mutating func remove(_ record: ConnectionRecord) -> Bool {
        guard let number = numbers.removeValue(forKey: ObjectIdentifier(record)) else { return false }
        works[number] = nil
        return true
    }

    // MARK: Work for the next iteration

    var isIdle: Bool { ready.isEmpty }

    mutating func enqueue(_ number: UInt64) { if known.insert(number).inserted { ready.append(number) } }

    mutating func takeReady() -> [UInt64] {
        defer {
            ready.removeAll(keepingCapacity: true)
            known.removeAll(keepingCapacity: true)
        }
        return ready
    }
}
