internal import Foundation
internal import GRDB
package import SegueComparison

extension RunHistory {
    /// Adds a run.
    ///
    /// `most` is the maximum number of runs to keep; older ones are deleted. `tell` provides the cases in their order.
    ///
    /// - Throws: ``RunFailure``, or an error of `tell`; nothing is stored then.
    @discardableResult
    package func add(
        _ facts: RunFacts,
        keeping most: Int = usualRuns,
        _ tell: ((RecordedCase) throws -> Void) throws -> Void
    ) throws -> Int64 {
        var number: Int64 = 0
        do {
            try database.inTransaction(.immediate) { database in
                var adding = try Adding(database, facts)
                try tell { try adding.add($0) }
                number = try adding.finish()
                try Self.drop(before: number - Int64(most) + 1, database)
                return .commit
            }
        } catch let error as DatabaseError {
            throw RunFailure(path, error)
        }
        return number
    }

    /// Deletes old runs and their results.
    private static func drop(before number: Int64, _ database: Database) throws {
        // Numbers without a run, left by failures, count as runs, so the size stays bounded.
        guard
            try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM runs WHERE number < ?)", arguments: [number])
                == true
        else { return }
        try database.execute(sql: "DELETE FROM runs WHERE number < ?", arguments: [number])
        try database.execute(sql: "DELETE FROM results WHERE run < ?", arguments: [number])
        try database.execute(
            sql: """
                DELETE FROM outcomes WHERE NOT EXISTS (SELECT 1 FROM results WHERE outcome = outcomes.id);
                DELETE FROM names WHERE NOT EXISTS (SELECT 1 FROM results WHERE name = names.id);
                """
        )
    }
}

/// A run that is being added.
private struct Adding {
    private let database: Database
    private let number: Int64
    private let encoder = JSONEncoder()
    private let findName: Statement
    private let addName: Statement
    private let findOutcome: Statement
    private let addOutcome: Statement
    private let addResult: Statement
    private var cases: Int64 = 0
    private var bad = 0
    private var judged = 0

    init(_ database: Database, _ facts: RunFacts) throws {
        self.database = database
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let words = String(decoding: try encoder.encode(facts), as: UTF8.self)
        try database.execute(
            sql: "INSERT INTO runs (facts, cases, bad, judged) VALUES (?, 0, 0, 0)",
            arguments: [words]
        )
        number = database.lastInsertedRowID
        findName = try database.makeStatement(sql: "SELECT id FROM names WHERE key = ?")
        addName = try database.makeStatement(
            sql: """
                INSERT INTO names (key, file, scenario, network, platform, app, seed, device)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        // The latest outcome is the most likely one to match.
        findOutcome = try database.makeStatement(
            sql: "SELECT id FROM outcomes WHERE name = ? AND verdict = ? AND body = ? ORDER BY id DESC LIMIT 1"
        )
        addOutcome = try database.makeStatement(sql: "INSERT INTO outcomes (name, verdict, body) VALUES (?, ?, ?)")
        addResult = try database.makeStatement(
            sql: "INSERT INTO results (run, place, name, outcome, seconds) VALUES (?, ?, ?, ?, ?)"
        )
    }

    mutating func add(_ one: RecordedCase) throws {
        let name = try name(of: one.name)
        let body = String(
            decoding: try encoder.encode(StoredOutcome(findings: one.findings, metrics: one.metrics)),
            as: UTF8.self
        )
        let verdict = one.verdict.rawValue
        let outcome: Int64
        if let known = try Int64.fetchOne(findOutcome, arguments: [name, verdict, body]) {
            outcome = known
        } else {
            try addOutcome.execute(arguments: [name, verdict, body])
            outcome = database.lastInsertedRowID
        }
        try addResult.execute(arguments: [number, cases, name, outcome, one.seconds])
        cases += 1
        if one.verdict.isBad { bad += 1 }
        if one.verdict != .skip, one.verdict != .broken { judged += 1 }
    }

    private func name(of name: CaseName) throws -> Int64 {
        if let known = try Int64.fetchOne(findName, arguments: [name.key]) { return known }
        try addName.execute(
            arguments: [
                name.key, name.file, name.scenario, name.network, name.platform, name.app, name.seed, name.device,
            ]
        )
        return database.lastInsertedRowID
    }

    func finish() throws -> Int64 {
        try database.execute(
            sql: "UPDATE runs SET cases = ?, bad = ?, judged = ? WHERE number = ?",
            arguments: [cases, bad, judged, number]
        )
        return number
    }
}

/// The part of a result that stays the same from run to run.
struct StoredOutcome: Codable {
    let findings: [RecordedCase.Finding]
    let metrics: [String: RecordedMetric]
}
