import Foundation
import SeguePlayer
import Testing

/// A search of apps with known bugs, and of apps without bugs.
///
/// `SEGUE_EXPLORE_RUNS` sets the number of runs for each, with a report of the findings and the runs they took, as
/// `Tools/run bench library` does; without it, the search is short. `SEGUE_EXPLORE_SEEDS` are the seeds of the searches,
/// such as `1,2,3`.
@MainActor @Suite(.serialized) struct SubjectSearchTests {
    private nonisolated static let runs = ProcessInfo.processInfo.environment["SEGUE_EXPLORE_RUNS"].flatMap(Int.init)
    private nonisolated static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SEGUE_EXPLORE_SEEDS"].map { text in
            text.split(separator: ",").compactMap { UInt64($0) }
        } ?? [1]

    /// Searches an app with a number of runs.
    private func search(_ subject: Subject, runs: Int, seed: UInt64) async throws -> ExploreResult {
        try await explore(platform: subject.platform, runs: runs, seed: seed) { try subject.start($0) }
    }

    /// The correct apps, and those with one bug each.
    private nonisolated static let right = Subject.right + Subject.rightByStyle
    private nonisolated static let planted = Subject.planted + Subject.plantedByStyle

    private func tell(_ words: String...) {
        FileHandle.standardError.write(Data((words.joined(separator: "\t") + "\n").utf8))
    }

    @Test(arguments: [(Subject.planted, 11), (Subject.plantedByStyle, 14)])
    func `a short search finds most planted bugs`(planted: [Subject], least: Int) async throws {
        var found: [String] = []
        for subject in planted {
            let result = try await search(subject, runs: 100, seed: 1)
            guard let finding = result.findings.first else { continue }
            #expect(subject.rules.contains(finding.rule), "\(subject.name): \(finding)")
            #expect(finding.steps <= 12, "\(subject.name): \(finding)")
            found.append(subject.name)
        }
        #expect(found.count >= least, "\(found)")
    }

    @Test(arguments: right, seeds)
    func `a search finds nothing in a correct app`(subject: Subject, seed: UInt64) async throws {
        let result = try await search(subject, runs: Self.runs ?? 60, seed: seed)
        if Self.runs != nil {
            tell("right", subject.name, result.findings.first?.rule ?? "-", "seed \(seed)", "\(result.runs)")
        }
        #expect(result.findings.isEmpty, "\(result)")
    }

    @Test(.enabled(if: runs != nil), arguments: planted, seeds)
    func `a search finds the planted bug`(subject: Subject, seed: UInt64) async throws {
        let finding = try await search(subject, runs: Self.runs ?? 0, seed: seed).findings.first
        let words = finding.map { [$0.rule, "\($0.steps) steps", "after \($0.runs) runs"] } ?? ["-"]
        tell("planted", subject.name, words.joined(separator: "\t"), "seed \(seed)")
        let found = try #require(finding, "\(subject.name)")
        #expect(subject.rules.contains(found.rule), "\(found)")
    }
}
