/// Slows those who try passwords, by where they come from and by whose password they try.
///
/// A try is counted when it begins, as if it had failed, so that a thousand at once are no way around; one that succeeds
/// is taken back. Who has to wait is told so before any password is looked at. What it holds is bounded.
package struct LoginSlowing: Sendable {
    /// How those are slowed that have one thing in common.
    package struct Rule: Sendable {
        /// How many tries are free.
        var free: Int
        /// The longest wait between two tries, in seconds.
        var longest: Double
    }

    private struct Tries {
        var count = 0
        var last = 0.0
    }

    /// An address: the wait doubles from one second to a quarter of an hour.
    package static let addressRule = Rule(free: 5, longest: 900)
    /// A name, from whatever addresses.
    ///
    /// Whoever knows a name could keep its owner out with that, so the wait is short, and
    /// where the owner has logged in before there is none.
    package static let nameRule = Rule(free: 20, longest: 30)

    /// How long a try is remembered, in seconds.
    private static let memory = 3600.0

    private let most: Int
    private var addresses: [String: Tries] = [:]
    private var names: [String: Tries] = [:]
    /// Who has logged in from where, and when.
    private var known: [String: Double] = [:]

    /// Nobody has tried yet.
    ///
    /// - Parameter most: How many addresses and how many names are remembered.
    package init(most: Int = 4096) { self.most = most }

    /// Begins a try.
    ///
    /// - Parameters:
    ///   - name: Whose password is tried.
    ///   - address: Where the try comes from.
    ///   - now: The time in seconds, from any beginning.
    /// - Returns: Nil where it may go on; else how long to wait, in seconds, and nothing was counted.
    package mutating func begin(_ name: String, from address: String, at now: Double) -> Double? {
        let (name, address) = (Self.shortened(name), Self.network(address))
        let isKnown = known[Self.pair(name, address)] != nil
        var wait = Self.wait(addresses[address], Self.addressRule, now)
        if !isKnown { wait = max(wait, Self.wait(names[name], Self.nameRule, now)) }
        guard wait <= 0 else { return wait }
        Self.count(&addresses, address, now, most)
        if !isKnown { Self.count(&names, name, now, most) }
        return nil
    }

    /// A try that was begun has succeeded.
    package mutating func succeed(_ name: String, from address: String, at now: Double) {
        let (name, address) = (Self.shortened(name), Self.network(address))
        addresses[address] = nil
        if var tries = names[name] {
            tries.count -= 1
            names[name] = tries.count > 0 ? tries : nil
        }
        Self.makeRoom(in: &known, most) { $0 }
        known[Self.pair(name, address)] = now
    }

    /// How many addresses and names it remembers, for a test of its bounds.
    var size: Int { max(addresses.count, names.count, known.count) }

    private static func wait(_ tries: Tries?, _ rule: Rule, _ now: Double) -> Double {
        guard let tries, tries.count >= rule.free, now - tries.last < memory else { return 0 }
        let doublings = min(tries.count - rule.free, 30)
        return min(Double(1 << doublings), rule.longest) - (now - tries.last)
    }

    private static func count(_ all: inout [String: Tries], _ key: String, _ now: Double, _ most: Int) {
        var tries = all[key] ?? Tries()
        if now - tries.last >= memory { tries.count = 0 }
        if all[key] == nil { makeRoom(in: &all, most) { $0.last } }
        tries.count = min(tries.count + 1, 1000)
        tries.last = now
        all[key] = tries
    }

    /// Forgets the older half where there is no room for one more.
    private static func makeRoom<Value>(in all: inout [String: Value], _ most: Int, _ time: (Value) -> Double) {
        guard all.count >= most else { return }
        let middle = all.values.map(time).sorted()[all.count / 2]
        all = all.filter { time($0.value) > middle }
    }

    /// Whose address it is, as far as one can tell: an IPv6 client has 2^64 of its own.
    private static func network(_ address: String) -> String {
        guard address.contains(":"), !address.contains(".") else { return address }
        var groups: [String] = []
        let halves = address.split(separator: "%")[0].components(separatedBy: "::")
        let head = halves[0].split(separator: ":").map(String.init)
        let tail = halves.count > 1 ? halves[1].split(separator: ":").map(String.init) : []
        groups = head + Array(repeating: "0", count: max(0, 8 - head.count - tail.count)) + tail
        return groups.prefix(4).joined(separator: ":")
    }

    /// A name is the client's word, and not kept at any length.
    private static func shortened(_ name: String) -> String { String(decoding: name.utf8.prefix(128), as: UTF8.self) }

    private static func pair(_ name: String, _ address: String) -> String { "\(address) \(name)" }
}

extension StringProtocol {
    /// The parts between occurrences of a separator.
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        guard let range = firstRange(of: separator) else { return [Substring(self)] }
        return [Substring(self[..<range.lowerBound]), Substring(self[range.upperBound...])]
    }
}
