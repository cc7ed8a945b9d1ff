import Foundation
import SegueData
import SegueSuite

/// A real player that a run was asked for: one of the data folder's drivers by its name, a command, or where one listens.
struct NamedPlayer {
    /// What reports call it.
    let name: String
    /// What the shell starts, or where the driver listens.
    let command: String

    /// Looks a player up.
    ///
    /// - Parameters:
    ///   - text: The name of a driver in the data folder, a command, or a ``DriverAddress``, with `NAME=` before it
    ///     where it is to have one.
    /// - Throws: ``CommandFailure`` where there is neither.
    init(_ text: String, in harness: HarnessFolder) throws {
        let folder = URL(fileURLWithPath: harness.path).appendingPathComponent("drivers")
        let script = folder.appendingPathComponent("\(text).py").path
        if !text.contains("/"), FileManager.default.fileExists(atPath: script) {
            name = Matrix.realPrefix + text
            command = Self.quoted(script)
            return
        }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isNamed = parts.count == 2 && !parts[0].isEmpty && !parts[0].contains { " /".contains($0) }
        let words = isNamed ? parts[1] : text
        if DriverAddress.isMeant(by: words) {
            guard let address = DriverAddress(words) else {
                throw CommandFailure("--player", "\(words): is no address of a driver; one is ws://HOST[:PORT][/PATH]")
            }
            name = Matrix.realPrefix + (isNamed ? parts[0] : address.name)
            command = words
            return
        }
        guard let program = words.split(separator: " ").first, program.contains("/") || words.contains(" ") else {
            throw CommandFailure("--player", "\(text): there is no such driver; known are \(Self.known(in: folder))")
        }
        let own = URL(fileURLWithPath: String(program)).deletingPathExtension().lastPathComponent
        name = Matrix.realPrefix + (isNamed ? parts[0] : own)
        command = words
    }

    /// The data folder's drivers: the programs in it, which are not what they share.
    private static func known(in folder: URL) -> String {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        let names = files.filter { $0.pathExtension == "py" && FileManager.default.isExecutableFile(atPath: $0.path) }
            .map { $0.deletingPathExtension().lastPathComponent }
        return names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
