import ArgumentParser
import Conformance

/// Writes the tables of the rules for the page of documentation.
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Prints the rules of validate, as Markdown.",
        discussion: "docs/validate.md ends with what this prints.",
        shouldDisplay: false
    )

    func run() async throws { print(RuleCatalogue.markdown, terminator: "") }
}
