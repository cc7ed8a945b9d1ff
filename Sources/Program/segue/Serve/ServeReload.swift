import ArgumentParser
import Foundation
import SegueData
import Synchronization

/// What becomes of the configuration file of a server that runs, when it is told to look at it again.
final class ServeReload: Sendable {
    /// What the file says now.
    enum Look {
        /// It cannot be used, which changes nothing.
        case wrong(String)
        /// What it asks for, with the names of what is other than what is in force and can be changed at once, and of what
        /// takes a restart.
        case right(ServeCommand, atOnce: [String], later: [String])
    }

    /// The options that can be changed while players play, as a configuration file names them.
    static let changeable: Set = [
        "folders", "allow-host", "allow-origin", "address-connections", "address-requests", "address-rate",
        "address-encodings", "trust-proxy", "minimum-rate",
    ]

    private let given: [String]
    /// The arguments that say what was done at the start, and what is in force of the rest.
    private let state: Mutex<(begun: [String], inForce: [String])>

    /// Remembers with what the program was started.
    ///
    /// - Parameter arguments: The arguments, without the program's name.
    init(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) {
        given = arguments
        let begun = (try? Configuration.expanded(arguments)) ?? arguments
        state = Mutex((begun, begun))
    }

    /// Reads the file, and has what can be changed changed.
    ///
    /// - Parameter change: Changes it; what it throws has left all as it was.
    /// - Returns: The lines that are to be told; none where the file is as it was.
    func lines(changing change: (ServeCommand) throws -> Void) -> [String] {
        state.withLock { state in
            do {
                let now = try Configuration.expanded(given)
                guard let command = try Segue.parseAsRoot(now) as? ServeCommand else { return [] }
                let fresh = Configuration.changes(from: state.inForce, to: now).filter(Self.changeable.contains)
                let later = Configuration.changes(from: state.begun, to: now).filter { !Self.changeable.contains($0) }
                if !fresh.isEmpty { try change(command) }
                state.inForce = now
                return Self.told(fresh, "in force from now on") + Self.told(later, "in force after a restart")
            } catch {
                return [Self.words(error) + "; the server goes on as it was"]
            }
        }
    }

    private static func told(_ names: [String], _ when: String) -> [String] {
        names.isEmpty ? [] : ["\(names.joined(separator: ", ")): changed in the configuration; \(when)"]
    }

    private static func words(_ error: any Error) -> String {
        let words =
            (error as? HarnessError)?.description ?? (error as? CommandFailure)?.description
            ?? Segue.message(for: error)
        return words.split(separator: "\n").joined(separator: " ")
    }
}
