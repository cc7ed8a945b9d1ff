internal import CSegueTime

/// The calls that a thread is in, for reports.
///
/// Where they are is all that is noted; what they are called is looked up when somebody wants to know.
struct CallPlace: Sendable {
    private static let most = 48

    private let addresses: [UInt]

    /// Where the caller is.
    init() {
        let type = UnsafeMutableRawPointer?.self
        addresses = withUnsafeTemporaryAllocation(of: type, capacity: CallPlace.most) { calls in
            let count = segue_time_calls(calls.baseAddress, Int32(calls.count))
            return calls.prefix(Int(count)).map { UInt(bitPattern: $0) }
        }
    }

    /// The calls of the program itself, innermost first, a line for each.
    var text: String {
        var table: SymbolTable?
        let program = SymbolTable.programName
        let names = addresses.dropFirst().compactMap { address -> String? in
            var base: UInt64 = 0
            guard let image = segue_time_image(UnsafeRawPointer(bitPattern: address), &base),
                String(cString: image) == program
            else { return nil }
            if table == nil { table = SymbolTable(ofFile: program) }
            // It returns to behind the call.
            let symbol = table?.symbol(at: UInt64(address) - 1 - base)
            return symbol.flatMap { CallPlace.isOwn($0) ? nil : SymbolTable.readable($0) }
        }
        guard !names.isEmpty else { return "    (no call of it has a name)" }
        let isNew = { index in index == 0 || names[index - 1] != names[index] }
        return names.indices.filter(isNew).map { "    \(names[$0])" }.joined(separator: "\n")
    }

    /// Whether a call is of this library, of Swift's own, or made by the compiler.
    private static func isOwn(_ symbol: String) -> Bool {
        guard symbol.hasPrefix("$s") else { return true }
        // Swift's mangled names begin with the module; a short one of Swift's own stands for its types.
        let modules = ["$s9SegueTime", "$s15SegueTimeXCTest", "$sSc", "$ss"]
        let thunks = ["TR", "TA"]
        return modules.contains(where: symbol.hasPrefix) || thunks.contains(where: symbol.hasSuffix)
    }
}
