import ArgumentParser
import Foundation
import SegueConformance
import SegueData

/// Prints the rule tables of the documentation.
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Prints the rules of validate as Markdown.",
        discussion: "docs/validate.md ends with this output; docs/clauses.md is the output with --clauses.",
        shouldDisplay: false
    )

    @Flag(help: "Print the requirements of the texts, clause by clause, with the rules that check them.")
    var clauses = false

    func run() async throws {
        guard clauses else { return print(RuleCatalogue.markdown, terminator: "") }
        let folder = URL(fileURLWithPath: try ProgramData.harness().path).appending(path: "clauses")
        print(try ClauseTable(folder: folder).markdown, terminator: "")
    }
}
