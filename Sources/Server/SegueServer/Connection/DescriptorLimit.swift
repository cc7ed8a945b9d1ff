import Foundation

/// How many files and connections this process may have open.
enum DescriptorLimit {
    /// More than any server here needs; what goes through a table of all of them stays quick.
    private static let most: rlim_t = 65_536
    /// What is open besides connections and the files that they are sent: the program's own files, files being opened.
    private static let own = 48
    /// How many files there are that are sent at once, at the most: of very many clients most are idle, or are sent what
    /// lies in memory.
    private static let mostSent = 4096

    /// Raises the soft limit as far as the hard one allows.
    ///
    /// The soft limit is 1024 on most systems for the sake of programs that use `select`; this one does not.
    ///
    /// - Returns: The limit that holds then.
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

    /// How many connections there may be, each of which may be sent a file where they are few.
    ///
    /// - Parameters:
    ///   - wanted: How many there are to be at most.
    ///   - limit: How many descriptors there may be.
    /// - Returns: How many there may be, at least eight.
    static func connections(_ wanted: Int, within limit: Int) -> Int {
        min(wanted, max(8, limit - own - min((limit - own + 1) / 2, mostSent)))
    }
}
