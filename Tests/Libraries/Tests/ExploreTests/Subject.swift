import SeguePlayer
import Testing

/// An app whose code is searched for what breaks a rule.
struct Subject: Sendable, CustomTestStringConvertible {
    /// What it does wrong, or what it is.
    let name: String
    /// Where the bug was reported, and how it came about; empty for an app that is right.
    let source: String
    /// The rules by which the bug may be found.
    let rules: Set<String>
    let platform: String
    /// Makes the app in a world, and shows the user its buttons.
    let start: @MainActor @Sendable (World) throws -> AnyObject

    var testDescription: String { name }
}
