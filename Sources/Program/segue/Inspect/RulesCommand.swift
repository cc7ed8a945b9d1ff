import ArgumentParser
import SegueConformance

/// Writes the tables of the rules for the page of documentation.
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Prints the rules of validate, as Markdown.",
        discussion: "docs/validate.md ends with what this prints; docs/clauses.md is what it prints with --clauses.",
        shouldDisplay: false
    )

    @Flag(help: "Prints what the texts demand, clause by clause, with the rules that check it.")
    var clauses = false

    func run() async throws { print(clauses ? ClauseTable.markdown : RuleCatalogue.markdown, terminator: "") }
}
