import CSegueSandbox
import Foundation

/// The sandbox of a worker: no network, no other programs, few files, and limited memory.
///
/// It cannot be undone.
struct Confinement {
    /// The folders and files that it may read.
    let reach: [String]
    /// The maximum memory in bytes.
    let memory: Int64
    /// The newest version of Landlock to use, as an older kernel would have it.
    var newestLandlock = Int32.max

    /// The files of the system: libraries that libav and the C library load on demand.
    private static let system = [
        "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache",
        "/etc/localtime", "/dev/null", "/dev/urandom", "/sys/devices/system/cpu", "/proc/self", "/proc/meminfo",
    ]
    /// The memory above the watched limit, so that the watch notices an excess first.
    private static let margin: Int64 = 512 << 20

    /// Applies the restrictions.
    ///
    /// - Returns: The restrictions that the kernel does not support, one sentence each.
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
            ssand_reach($0.baseAddress, Int32($0.count), newestLandlock)
        }
        if reached < 0 {
            missing.append(
                "no Landlock (\(words(reached))): libav can read all files of this user, not just the served folders"
            )
        }
        let forbidden = ssand_forbid()
        if forbidden < 0 {
            missing.append("no seccomp (\(words(forbidden))): libav can use the network and run programs")
        }
        return missing
    }

    private func limit(_ kind: __rlimit_resource, _ most: UInt64) {
        let resource = __rlimit_resource_t(kind.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        let most = min(rlim_t(most), limit.rlim_max)
        limit = rlimit(rlim_cur: most, rlim_max: most)
        // A failure leaves the former limit.
        setrlimit(resource, &limit)
    }

    private func words(_ code: Int32) -> String { String(cString: strerror(-code)) }
}
