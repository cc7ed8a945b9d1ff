import CSegueSandbox
import Foundation

/// What a worker gives up before it looks at a file: the network, other programs, most files, and memory without end.
///
/// None of it can be had back.
struct Confinement {
    /// The folders and files that it may read.
    let reach: [String]
    /// How much memory it may have, in bytes.
    let memory: Int64

    /// What belongs to the system and to everybody: libraries that libav and the C library load when they need them.
    private static let system = [
        "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache",
        "/etc/localtime", "/dev/null", "/dev/urandom", "/sys/devices/system/cpu", "/proc/self", "/proc/meminfo",
    ]
    /// What it may have beyond what it is watched for, so that whoever watches sees it first.
    private static let margin: Int64 = 512 << 20

    /// Gives it up.
    ///
    /// - Returns: What could not be given up as the kernel does not know how, a sentence each.
    func begin() -> [String] {
        limit(RLIMIT_CORE, 0)
        limit(RLIMIT_FSIZE, 0)
        limit(RLIMIT_NOFILE, 256)
        limit(RLIMIT_DATA, UInt64(clamping: memory.addingReportingOverflow(Self.margin).partialValue))
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var missing: [String] = []
        let settled = ssand_settle()
        if settled < 0 { missing.append("prctl: \(words(settled))") }
        let places = (reach + Self.system).map { strdup($0) }
        defer { for place in places { free(place) } }
        let reached = places.map { UnsafePointer($0) }.withUnsafeBufferPointer {
            ssand_reach($0.baseAddress, Int32($0.count))
        }
        if reached < 0 {
            missing.append(
                "no Landlock (\(words(reached))): libav could read all that this user may, not the served folders alone"
            )
        }
        let forbidden = ssand_forbid()
        if forbidden < 0 {
            missing.append("no seccomp (\(words(forbidden))): libav could use the network and run programs")
        }
        return missing
    }

    private func limit(_ kind: __rlimit_resource, _ most: UInt64) {
        let resource = __rlimit_resource_t(kind.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        let most = min(rlim_t(most), limit.rlim_max)
        limit = rlimit(rlim_cur: most, rlim_max: most)
        // What is refused is not more than what it was.
        setrlimit(resource, &limit)
    }

    private func words(_ code: Int32) -> String { String(cString: strerror(-code)) }
}
