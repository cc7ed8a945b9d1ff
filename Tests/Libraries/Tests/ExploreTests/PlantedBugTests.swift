import SeguePlayer
import Testing

/// Each planted bug violates its rule in its sequence, and a correct app does not.
@MainActor @Suite struct PlantedBugTests {
    @Test(arguments: Subject.planted) func `a planted bug breaks its rule`(_ subject: Subject) async throws {
        let lead = try #require(Lead.all[subject.name])
        let found = try await lead.broken(subject)
        #expect(found.contains { subject.rules.contains($0.rule) }, "\(found)")
    }

    @Test(arguments: Subject.planted) func `the correct app does not`(_ subject: Subject) async throws {
        let lead = try #require(Lead.all[subject.name])
        let right = try #require(Subject.right.first { $0.name == lead.right })
        let found = try await lead.broken(right)
        #expect(found.isEmpty, "\(found)")
    }
}
