import Foundation
import SegueTestSupport
import Testing

@testable import SegueConformance

@Suite struct `The table of clauses` {
    private static let rows = ClauseTable.parts.flatMap(\.rows)

    @Test func `names rules that there are, and each clause once`() {
        let known = Set(RuleCatalogue.rules.map(\.id))
        for row in Self.rows {
            #expect(!row.clauses.isEmpty && !row.words.isEmpty)
            #expect(["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "FORM"].contains(row.word), "\(row.clauses)")
            #expect(Set(row.rules).subtracting(known) == [], "\(row.clauses)")
        }
        let clauses = Self.rows.flatMap(\.clauses)
        let twice = Dictionary(grouping: clauses.filter { !$0.hasSuffix("-form") }) { $0 }.filter { $0.value.count > 1 }
        #expect(twice.keys.sorted() == [])
    }

    @Test func `has each clause of each rule, with its word`() {
        for rule in Validator.rules {
            for clause in rule.clauses where [.rfc8216, .draft, .apple].contains(clause.text) {
                let rows = Self.rows.filter { $0.rules.contains(rule.id) && $0.sections.contains("\(clause)") }
                let word = clause.severity == .must ? ["MUST", "MUST NOT", "FORM"] : ["SHOULD", "SHOULD NOT"]
                #expect(rows.contains { word.contains($0.word) }, "\(rule.id): \(clause), \(clause.severity)")
            }
        }
    }

    @Test func `is the page`() throws {
        let folder = Checkout.root
        let page = try String(contentsOf: folder.appending(path: "docs/clauses.md"), encoding: .utf8)
        #expect(page == ClauseTable.markdown, "segue rules --clauses prints the page as it is now")
    }
}
