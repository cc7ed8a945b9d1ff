import Foundation
import SegueData
import SegueSuite

/// A real player of a run: the name of a driver, a command, or the address of a driver.
struct NamedPlayer {
    /// The name in reports.
    let name: String
    /// The shell command, or the address of the driver.
    let command: String

    /// Looks up a player.
    ///
    /// `text` is the name of a driver in the folder `drivers`, a command, or a ``DriverAddress``; `NAME=` before a command or
    /// an address names the player.
    ///
    /// - Throws: ``CommandFailure`` for an unknown name.
    init(_ text: String, in drivers: String) throws {
        let folder = URL(fileURLWithPath: drivers)
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
            throw CommandFailure(
                "--player",
                "\(text): no such driver; \(UnknownName(text, among: Self.known(in: folder)).advice)"
            )
        }
        let own = URL(fileURLWithPath: String(program)).deletingPathExtension().lastPathComponent
        name = Matrix.realPrefix + (isNamed ? parts[0] : own)
        command = words
    }

    /// The names of the drivers in a folder: its executable Python scripts.
    private static func known(in folder: URL) -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "py" && FileManager.default.isExecutableFile(atPath: $0.path) }
            .map { $0.deletingPathExtension().lastPathComponent }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
