internal import Foundation
import SegueBase
import SegueEvents
import SegueTestSupport
import Testing

@Suite struct `Event catalogue` {
    @Test func `contains every kind of event once`() throws {
        let source = try text("Sources/Base/SegueEvents/EventKind.swift")
        let cases = source.split(separator: "\n").filter { $0.hasPrefix("    case ") }
        let names = EventCatalogue.examples.map { $0.record.name }
        #expect(names.count == cases.count)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: EventCatalogue.examples)
    func `the name in logs matches the case`(kind: EventKind) throws {
        let fields = Dictionary(uniqueKeysWithValues: kind.record.fields.map { ($0.name, $0.value) })
        let again = try EventKind(name: kind.name, fields: fields)
        #expect(again == kind)
    }

    @Test func `the page of documentation is up to date`() throws {
        #expect(try text("docs/EVENTS.md") == EventCatalogue.markdown)
    }

    private func text(_ path: String) throws -> String {
        let root = Checkout.root
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
}
