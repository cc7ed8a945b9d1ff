internal import CSegueTime

/// The call stack of a thread, for reports.
///
/// It stores only addresses. The symbols are looked up on demand.
struct CallPlace: Sendable {
    private static let most = 48

    private let addresses: [UInt]

    /// The call stack of the caller.
    init() {
        let type = UnsafeMutableRawPointer?.self
        addresses = withUnsafeTemporaryAllocation(of: type, capacity: CallPlace.most) { calls in
            let count = segue_time_calls(calls.baseAddress, Int32(calls.count))
            return calls.prefix(Int(count)).map { UInt(bitPattern: $0) }
        }
    }

    /// The calls of the program itself, innermost first, one per line.
    var text: String {
        var table: SymbolTable?
        let program = SymbolTable.programName
        let names = addresses.dropFirst().compactMap { address -> String? in
            var base: UInt64 = 0
            guard let image = segue_time_image(UnsafeRawPointer(bitPattern: address), &base),
                String(cString: image) == program
            else { return nil }
            if table == nil { table = SymbolTable(ofFile: program) }
            // The return address lies behind the call.
            let symbol = table?.symbol(at: UInt64(address) - 1 - base)
            return symbol.flatMap { CallPlace.isOwn($0) ? nil : SourceFunction.name(in: SymbolTable.readable($0)) }
        }
        guard !names.isEmpty else { return "    (no symbols)" }
        let isNew = { index in index == 0 || names[index - 1] != names[index] }
        return names.indices.filter(isNew).map { "    \(names[$0])" }.joined(separator: "\n")
    }

    /// Returns whether a call belongs to this library or to Swift.
    private static func isOwn(_ symbol: String) -> Bool {
        guard symbol.hasPrefix("$s") else { return true }
        // Mangled Swift names begin with the module. A short prefix stands for a type of the standard library.
        let modules = ["$s9SegueTime", "$s15SegueTimeXCTest", "$sSc", "$ss"]
        return modules.contains(where: symbol.hasPrefix)
    }
}
