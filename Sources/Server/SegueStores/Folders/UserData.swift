internal import Foundation

/// The folder for what programs must not lose, of the user who runs this one.
package enum UserData {
    /// The program's folder under the user's data, as the XDG base directory specification has it.
    ///
    /// - Parameter environment: The environment's variables.
    /// - Returns: The path; nil where the environment names neither a place for data nor a home.
    package static func folder(in environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/segue" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return (home as NSString).appendingPathComponent(".local/share/segue")
    }
}
