internal import Foundation

/// The folder for what programs can do without, of the user who runs this one.
package enum UserCaches {
    /// The program's folder under the user's caches, as the XDG base directory specification has it.
    ///
    /// - Parameter environment: The environment's variables.
    /// - Returns: The path; nil where the environment names neither caches nor a home.
    package static func folder(in environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        if let caches = environment["XDG_CACHE_HOME"], caches.hasPrefix("/") { return caches + "/segue" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return (home as NSString).appendingPathComponent(".cache/segue")
    }
}
