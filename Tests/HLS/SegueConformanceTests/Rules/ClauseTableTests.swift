import Foundation
import SegueBase
import SegueTestSupport
import Testing

@testable import SegueConformance

@Suite struct `The table of clauses` {
    private let table: ClauseTable
    private var rows: [ClauseTable.Row] { table.parts.flatMap(\.rows) }

    init() throws { table = try ClauseTable(folder: Checkout.root.appending(path: "Harness/clauses")) }

    @Test func `the clause table names existing rules, and each clause once`() {
        let known = Set(RuleCatalog.rules.map(\.id))
        for row in rows {
            #expect(!row.clauses.isEmpty && !row.demand.isEmpty)
            #expect(["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "FORM"].contains(row.word), "\(row.clauses)")
            #expect(Set(row.rules).subtracting(known) == [], "\(row.clauses)")
        }
        let clauses = rows.flatMap(\.clauses)
        let twice = Dictionary(grouping: clauses.filter { !$0.hasSuffix("-form") }) { $0 }.filter { $0.value.count > 1 }
        #expect(twice.keys.sorted() == [])
    }

    @Test func `the clause table has each clause of each rule, with its keyword`() {
        for rule in Validator.rules {
            for clause in rule.clauses where [.rfc8216, .draft, .apple].contains(clause.text) {
                let rows = rows.filter { $0.rules.contains(rule.id) && $0.sections.contains("\(clause)") }
                let word = clause.severity == .must ? ["MUST", "MUST NOT", "FORM"] : ["SHOULD", "SHOULD NOT"]
                #expect(rows.contains { word.contains($0.word) }, "\(rule.id): \(clause), \(clause.severity)")
            }
        }
    }

    @Test func `the table equals the one in the page`() throws {
        let folder = Checkout.root
        let page = try String(contentsOf: folder.appending(path: "docs/clauses.md"), encoding: .utf8)
        #expect(page == table.markdown, "write the output of segue rules --clauses to docs/clauses.md")
    }
}
