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
            return table?.name(at: UInt64(address) - 1 - base)
        }.filter { name in !CallPlace.isOwn(name) }
        guard !names.isEmpty else { return "    (no call of it has a name)" }
        let isNew = { index in index == 0 || names[index - 1] != names[index] }
        return names.indices.filter(isNew).map { "    \(names[$0])" }.joined(separator: "\n")
    }

    /// Whether a call is of this library, or made by the compiler.
    private static func isOwn(_ name: String) -> Bool {
        let own = [
            "QueueHooks", "VirtualRun", "VirtualThread", "CallPlace", "Outside", "Replaced", "InterruptedThread",
            "Waits", "virtualTime<", "dispatch_", "VirtualRunLoop", "runSynchronously", "thunk ", "segue_time",
            "VirtualExpectation", "main", "Awaited.",
        ]
        return own.contains { name.hasPrefix($0) || name.contains("of \($0)") || name.contains("in \($0)") }
            || name.contains(" static \(own[0])")
    }
}
