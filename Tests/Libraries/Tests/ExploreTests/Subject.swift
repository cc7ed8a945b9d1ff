import SeguePlayer
import Testing

/// An app whose code is searched for violations.
struct Subject: Sendable, CustomTestStringConvertible {
    /// Its bug, or its kind.
    let name: String
    /// The report of the bug; empty for a correct app.
    let source: String
    /// The rules that the bug may violate.
    let rules: Set<String>
    let platform: String
    /// Creates the app in a world, and declares its buttons.
    let start: @MainActor @Sendable (World) throws -> AnyObject

    var testDescription: String { name }
}
