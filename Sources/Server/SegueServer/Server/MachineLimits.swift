import Foundation

/// What the machine carries.
package enum MachineLimits {
    /// Memory that a connection takes at the most while it is idle, in this process and in the system together; measured
    /// by `Tools/run bench load`, and rounded up.
    private static let idleConnection: UInt64 = 64 << 10

    /// How many connections a server may have open: those that take a quarter of the machine's memory while they are idle,
    /// and for whom there are descriptors.
    package static var connections: Int {
        connections(memory: ProcessInfo.processInfo.physicalMemory, descriptors: DescriptorLimit.raise())
    }

    /// How many connections one address may have of so many: a quarter, and no fewer than a household needs.
    package static func connections(byAddressOf all: Int) -> Int { max(min(all, 64), all / 4) }

    /// How many connections there may be with so much memory and so many descriptors; at least eight.
    static func connections(memory: UInt64, descriptors: Int) -> Int {
        DescriptorLimit.connections(max(8, Int(clamping: memory / 4 / idleConnection)), within: descriptors)
    }

    /// How many processors the process may run on: those of the machine, or fewer where somebody says so, as with
    /// `taskset` or systemd's `CPUAffinity`.
    ///
    /// `ProcessInfo` tells the machine's.
    package static var processors: Int {
        let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        return processors(status: String(decoding: status, as: UTF8.self))
            ?? ProcessInfo.processInfo.activeProcessorCount
    }

    /// How many processors a `status` of `/proc` allows; nil where it does not tell.
    static func processors(status: String) -> Int? {
        let key = "Cpus_allowed:"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else { return nil }
        let count = line.dropFirst(key.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
        return count > 0 ? count : nil
    }
}
