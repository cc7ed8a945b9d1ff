import ArgumentParser
import Foundation
import SegueConformance
import SegueData

struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Prints the rules of segue validate as Markdown.",
        discussion: """
            docs/validate.md ends with this output; docs/clauses.md is the output with --clauses.

            Example:
              segue rules --clauses > docs/clauses.md
            """,
        shouldDisplay: false
    )

    @Flag(help: "Print the clauses of the texts with the rules that check them.")
    var clauses = false

    func run() async throws {
        guard clauses else { return StandardOutput.write(RuleCatalog.markdown) }
        let folder = URL(fileURLWithPath: try ProgramData.harness().path).appending(path: "clauses")
        StandardOutput.write(try ClauseTable(folder: folder).markdown)
    }
}
