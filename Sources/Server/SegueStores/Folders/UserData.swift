internal import Foundation

/// The user's data folder.
package enum UserData {
    /// The program's folder in it, by the XDG base directory specification.
    ///
    /// - Returns: The path, or nil if the environment has neither a data folder nor a home.
    package static func folder(in environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/segue" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return (home as NSString).appendingPathComponent(".local/share/segue")
    }
}
