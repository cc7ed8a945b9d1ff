import Foundation
import SeguePlayer
import Testing

/// A search of apps with known bugs, and of apps without bugs.
///
/// `SEGUE_EXPLORE_RUNS` sets the number of runs for each, with a report of the findings and the runs they took, as
/// `Tools/run bench library` does; without it, the search is short. `SEGUE_EXPLORE_SEED` changes the course of the
/// search.
@MainActor @Suite(.serialized) struct SubjectSearchTests {
    private nonisolated static let runs = ProcessInfo.processInfo.environment["SEGUE_EXPLORE_RUNS"].flatMap(Int.init)
    private nonisolated static let seed =
        ProcessInfo.processInfo.environment["SEGUE_EXPLORE_SEED"].flatMap(UInt64.init) ?? 1

    /// Searches an app with a number of runs.
    private func search(_ subject: Subject, runs: Int) async throws -> ExploreResult {
        try await explore(platform: subject.platform, runs: runs, seed: Self.seed) { try subject.start($0) }
    }

    private func tell(_ words: String...) {
        FileHandle.standardError.write(Data((words.joined(separator: "\t") + "\n").utf8))
    }

    @Test func `a short search finds most planted bugs`() async throws {
        var found: [String] = []
        for subject in Subject.planted {
            let result = try await search(subject, runs: 100)
            guard let finding = result.findings.first else { continue }
            #expect(subject.rules.contains(finding.rule), "\(subject.name): \(finding)")
            #expect(finding.steps <= 8, "\(subject.name): \(finding)")
            found.append(subject.name)
        }
        #expect(found.count >= 11, "\(found)")
    }

    @Test(arguments: Subject.right) func `a search finds nothing in a correct app`(subject: Subject) async throws {
        let runs = Self.runs ?? 60
        let result = try await search(subject, runs: runs)
        if Self.runs != nil { tell("right", subject.name, result.findings.first?.rule ?? "-", "\(result.runs)") }
        #expect(result.findings.isEmpty, "\(result)")
    }

    @Test(.enabled(if: runs != nil), arguments: Subject.planted)
    func `a search finds the planted bug`(subject: Subject) async throws {
        let result = try await search(subject, runs: Self.runs ?? 0)
        let finding = result.findings.first
        let words = finding.map { [$0.rule, "\($0.steps) steps", "after \($0.runs) runs"] } ?? ["-"]
        tell("planted", subject.name, words.joined(separator: "\t"))
        let found = try #require(finding, "\(subject.name)")
        #expect(subject.rules.contains(found.rule), "\(found)")
        #expect(found.steps <= 8, "\(found)")
    }
}
