/// A delay of password attempts, by the client's address and by the person's name.
///
/// An attempt is counted as a failure at its start, so that parallel attempts are no way around, and uncounted if it
/// succeeds. A delayed attempt is rejected before its password is checked. The memory is bounded.
package struct LoginThrottle: Sendable {
    /// The delays of attempts from one address or on one name.
    package struct Rule: Sendable {
        /// The number of attempts without a delay.
        var free: Int
        /// The maximum delay in seconds.
        var longest: Double
    }

    private struct Tries {
        var count = 0
        var last = 0.0
    }

    /// The rule for an address: the delay doubles from one second to a quarter of an hour.
    package static let addressRule = Rule(free: 5, longest: 900)
    /// The rule for a name, from any address.
    ///
    /// An attacker could lock out a known name, so the delay is short, and there is none at addresses from which the
    /// person has logged in.
    package static let nameRule = Rule(free: 20, longest: 30)

    /// The time an attempt is remembered, in seconds.
    private static let memory = 3600.0

    private let most: Int
    private var addresses: [String: Tries] = [:]
    private var names: [String: Tries] = [:]
    /// The times of successful logins by name and address.
    private var known: [String: Double] = [:]

    /// - Parameter most: The maximum number of remembered addresses and of names.
    package init(most: Int = 4096) { self.most = most }

    /// Begins an attempt.
    ///
    /// - Parameters:
    ///   - now: A monotonic time in seconds.
    /// - Returns: Nil if the attempt may proceed; otherwise the remaining delay in seconds, and nothing is counted.
    package mutating func begin(_ name: String, from address: String, at now: Double) -> Double? {
        let (name, address) = (Self.shortened(name), Self.network(address))
        let isKnown = known[Self.pair(name, address)] != nil
        var wait = Self.wait(addresses[address], rule: Self.addressRule, now: now)
        if !isKnown { wait = max(wait, Self.wait(names[name], rule: Self.nameRule, now: now)) }
        guard wait <= 0 else { return wait }
        Self.count(&addresses, address, at: now, limit: most)
        if !isKnown { Self.count(&names, name, at: now, limit: most) }
        return nil
    }

    /// Records the success of an attempt.
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

    /// The number of remembered addresses or names, for tests.
    var size: Int { max(addresses.count, names.count, known.count) }

    private static func wait(_ tries: Tries?, rule: Rule, now: Double) -> Double {
        guard let tries, tries.count >= rule.free, now - tries.last < memory else { return 0 }
        let doublings = min(tries.count - rule.free, 30)
        return min(Double(1 << doublings), rule.longest) - (now - tries.last)
    }

    private static func count(_ all: inout [String: Tries], _ key: String, at now: Double, limit most: Int) {
        var tries = all[key] ?? Tries()
        if now - tries.last >= memory { tries.count = 0 }
        if all[key] == nil { makeRoom(in: &all, most) { $0.last } }
        tries.count = min(tries.count + 1, 1000)
        tries.last = now
        all[key] = tries
    }

    /// Removes the older half if the limit is reached.
    private static func makeRoom<Value>(in all: inout [String: Value], _ most: Int, _ time: (Value) -> Double) {
        guard all.count >= most else { return }
        let middle = all.values.map(time).sorted()[all.count / 2]
        all = all.filter { time($0.value) > middle }
    }

    /// The network of a client: an IPv6 client owns a /64.
    private static func network(_ address: String) -> String {
        guard address.contains(":"), !address.contains(".") else { return address }
        var groups: [String] = []
        let halves = address.split(separator: "%")[0].components(separatedBy: "::")
        let head = halves[0].split(separator: ":").map(String.init)
        let tail = halves.count > 1 ? halves[1].split(separator: ":").map(String.init) : []
        groups = head + Array(repeating: "0", count: max(0, 8 - head.count - tail.count)) + tail
        return groups.prefix(4).joined(separator: ":")
    }

    /// A bounded prefix of a name, which the client controls.
    private static func shortened(_ name: String) -> String { String(decoding: name.utf8.prefix(128), as: UTF8.self) }

    private static func pair(_ name: String, _ address: String) -> String { "\(address) \(name)" }
}

extension StringProtocol {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        guard let range = firstRange(of: separator) else { return [Substring(self)] }
        return [Substring(self[..<range.lowerBound]), Substring(self[range.upperBound...])]
    }
}
