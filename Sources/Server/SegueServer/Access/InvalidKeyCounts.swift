/// A bounded count of invalid keys by address.
struct InvalidKeyCounts {
    private static let limit = 1024

    private var counts: [String: Int] = [:]

    /// Counts an invalid key.
    ///
    /// - Returns: The count if it is to be reported.
    mutating func add(_ address: String) -> Int? {
        if counts[address] == nil, counts.count >= Self.limit { counts = [:] }
        counts[address, default: 0] &+= 1
        let count = counts[address] ?? 1
        return count & (count - 1) == 0 ? count : nil
    }
}
