import Foundation
import SegueData
import SegueSuite

/// A real player of a run: a driver of the data folder by name, a command, or an address.
struct NamedPlayer {
    /// The name in reports.
    let name: String
    /// The shell command, or the address of the driver.
    let command: String

    /// Looks up a player.
    ///
    /// `text` is the name of a driver in the data folder, a command, or a ``DriverAddress``, optionally after `NAME=`.
    ///
    /// - Throws: ``CommandFailure`` for an unknown name.
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
                throw CommandFailure("--player", "\(words): not a driver's address, which is ws://HOST[:PORT][/PATH]")
            }
            name = Matrix.realPrefix + (isNamed ? parts[0] : address.name)
            command = words
            return
        }
        guard let program = words.split(separator: " ").first, program.contains("/") || words.contains(" ") else {
            throw CommandFailure("--player", "\(text): no such driver; known are \(Self.known(in: folder))")
        }
        let own = URL(fileURLWithPath: String(program)).deletingPathExtension().lastPathComponent
        name = Matrix.realPrefix + (isNamed ? parts[0] : own)
        command = words
    }

    /// The drivers of the data folder, without their shared files.
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
