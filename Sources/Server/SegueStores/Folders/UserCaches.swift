internal import Foundation

/// The user's cache folder.
package enum UserCaches {
    /// The program's folder in it, by the XDG base directory specification.
    ///
    /// - Returns: The path, or nil if the environment has neither a cache folder nor a home.
    package static func folder(in environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        if let caches = environment["XDG_CACHE_HOME"], caches.hasPrefix("/") { return caches + "/segue" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return (home as NSString).appendingPathComponent(".cache/segue")
    }
}
