import ArgumentParser
import Foundation
import SegueData
import Synchronization

/// Rereads the configuration file of a running server.
final class ServeReload: Sendable {
    /// The content of the configuration file.
    enum Look {
        /// The file is invalid and changes nothing.
        case wrong(String)
        /// The command, with the names of options that differ and apply at once, and of those that need a restart.
        case right(ServeCommand, atOnce: [String], later: [String])
    }

    /// The options that can change while the server runs.
    static let changeable: Set = [
        "folders", "allow-host", "allow-origin", "address-connections", "address-requests", "address-rate",
        "address-encodings", "trust-proxy", "proxy-field", "minimum-rate",
    ]

    private let given: [String]
    /// The arguments at the start, and those in force.
    private let state: Mutex<(begun: [String], inForce: [String])>

    /// `arguments` are those of the program, without its name.
    init(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) {
        given = arguments
        let begun = (try? Configuration.expanded(arguments)) ?? arguments
        state = Mutex((begun, begun))
    }

    /// Reads the file and applies the options that can change.
    ///
    /// `change` applies them; if it throws, everything is unchanged. Returns the lines to print; empty if the file is
    /// unchanged.
    func lines(changing change: (ServeCommand) throws -> Void) -> [String] {
        state.withLock { state in
            do {
                let now = try Configuration.expanded(given)
                guard let command = try Segue.parseAsRoot(now) as? ServeCommand else { return [] }
                let fresh = Configuration.changes(from: state.inForce, to: now).filter(Self.changeable.contains)
                let later = Configuration.changes(from: state.begun, to: now).filter { !Self.changeable.contains($0) }
                if !fresh.isEmpty { try change(command) }
                state.inForce = now
                return Self.listed(fresh, "in force from now on") + Self.listed(later, "in force after a restart")
            } catch {
                return [Self.words(error) + "; the server continues unchanged"]
            }
        }
    }

    private static func listed(_ names: [String], _ when: String) -> [String] {
        names.isEmpty ? [] : ["\(names.joined(separator: ", ")): changed in the configuration; \(when)"]
    }

    private static func words(_ error: any Error) -> String {
        let words =
            (error as? HarnessError)?.description ?? (error as? CommandFailure)?.description
            ?? Segue.message(for: error)
        return words.split(separator: "\n").joined(separator: " ")
    }
}
