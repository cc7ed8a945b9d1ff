import Foundation

/// The capacity of this machine.
package enum MachineLimits {
    /// The memory of an idle connection in this process and in the kernel, measured by `Tools/run bench load` and rounded
    /// up.
    private static let idleConnection: UInt64 = 64 << 10

    /// The default limit on connections: a quarter of the memory for idle ones, and the available descriptors.
    package static var connections: Int {
        connections(memory: ProcessInfo.processInfo.physicalMemory, descriptors: DescriptorLimit.raise())
    }

    /// The default limit on connections of one address: a quarter of all, and enough for a household.
    package static func connections(byAddressOf all: Int) -> Int { max(min(all, 64), all / 4) }

    /// The limit on connections for an amount of memory and a number of descriptors; at least eight.
    static func connections(memory: UInt64, descriptors: Int) -> Int {
        DescriptorLimit.connections(max(8, Int(clamping: memory / 4 / idleConnection)), within: descriptors)
    }

    /// The number of processors that the process may use, as limited by `taskset` or systemd's `CPUAffinity`.
    ///
    /// `ProcessInfo` counts all processors of the machine.
    package static var processors: Int {
        let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        return processors(status: String(decoding: status, as: UTF8.self))
            ?? ProcessInfo.processInfo.activeProcessorCount
    }

    /// Parses the number of allowed processors of a `/proc/PID/status`; nil if it is missing.
    static func processors(status: String) -> Int? {
        let key = "Cpus_allowed:"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else { return nil }
        let count = line.dropFirst(key.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
        return count > 0 ? count : nil
    }
}
