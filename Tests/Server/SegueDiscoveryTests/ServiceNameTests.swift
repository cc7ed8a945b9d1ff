import Testing

@testable import SegueDiscovery

@Suite struct ServiceNameTests {
    @Test(arguments: [
        ("Segue on attic", "Segue on attic (2)"), ("Segue on attic (2)", "Segue on attic (3)"),
        ("Segue on attic (9)", "Segue on attic (10)"), ("Films (old)", "Films (old) (2)"),
        ("Films (1)", "Films (1) (2)"), ("Films (999999999999999999999)", "Films (999999999999999999999) (2)"),
    ])
    func `a name in use gets the next number`(name: String, next: String) {
        #expect(ServiceName.next(after: name) == next)
    }

    @Test func `a name is truncated between characters and keeps its number`() {
        let name = String(repeating: "ü", count: 40)
        #expect(ServiceName.fitted(name) == String(repeating: "ü", count: 31))
        #expect(ServiceName.next(after: name) == String(repeating: "ü", count: 29) + " (2)")
    }

    @Test(arguments: [("attic.example.org", "Segue on attic"), ("attic", "Segue on attic"), ("", "Segue")])
    func `the default name contains the host`(host: String, name: String) {
        #expect(ServiceName.usual(host: host) == name)
    }

    @Test func `control characters are removed from a name`() {
        #expect(ServiceName.fitted("a\u{1B}[31m\nb\u{9C}") == "a[31mb")
    }
}
