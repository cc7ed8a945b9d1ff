import Foundation

/// The limit on open files and connections of this process.
enum DescriptorLimit {
    /// A limit that keeps tables of all descriptors fast.
    private static let most: rlim_t = 65_536
    /// The descriptors of the program itself and of files being opened.
    private static let own = 48
    /// The maximum number of files that are sent at once; of many clients most are idle or receive data in memory.
    private static let sentLimit = 4096

    /// Raises the soft limit to the hard limit, at most ``most``.
    ///
    /// Most systems have a soft limit of 1024 for programs that use `select`; this one does not.
    ///
    /// - Returns: The new limit.
    @discardableResult
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let wanted = min(limit.rlim_max, most)
        if limit.rlim_cur < wanted {
            let before = limit.rlim_cur
            limit.rlim_cur = wanted
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// The maximum number of connections, with a file descriptor for the file of each if they are few.
    ///
    /// - Parameters:
    ///   - limit: The limit on descriptors.
    /// - Returns: The maximum, at least eight.
    static func connections(_ wanted: Int, within limit: Int) -> Int {
        min(wanted, max(8, limit - own - min((limit - own + 1) / 2, sentLimit)))
    }
}
