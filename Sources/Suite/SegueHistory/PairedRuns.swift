internal import Foundation
internal import GRDB
package import SegueComparison

/// Pairs the cases of two runs and compares them.
///
/// The cases of the old run are stored in a temporary database on disk, so that a hundred thousand cases need as little
/// memory as ten. Cases with the same name are paired in their order.
package enum PairedRuns {
    /// Compares two runs.
    ///
    /// `history` is the history for the spread of metrics.
    ///
    /// - Throws: ``RunFailure``.
    package static func compare(_ old: RunSource, _ new: RunSource, history: RunHistory?) throws -> ComparedRuns {
        try compare(old, to: new.title, number: new.number, history: history) { try new.read($0) }
    }

    /// Compares an old run with one that has just ended.
    ///
    /// `title` is the name of the new run. `number` is the number of the new run in the history, if it has one.
    /// `history` is the history for the spread of metrics. `former` provides the cases of the old run. `now` provides
    /// the cases and facts of the new run.
    ///
    /// - Throws: ``RunFailure``, or an error of `now`.
    package static func compare(
        _ old: RunSource,
        to title: String,
        number: Int64? = nil,
        history: RunHistory?,
        former: (RecordedCase) -> Void = { _ in },
        now: ((RecordedCase) throws -> Void) throws -> RunFacts
    ) throws -> ComparedRuns {
        var comparison = RunComparison()
        var oldSide = ComparedRuns.Side(title: old.title, facts: RunFacts(), cases: 0)
        var newSide = ComparedRuns.Side(title: title, facts: RunFacts(), cases: 0)
        do {
            let (waiting, added) = (try UnpairedCases(), try UnpairedCases())
            func past(_ name: CaseName) -> (String) throws -> [Double] {
                { metric in try history?.past(metric, of: name, before: number) ?? [] }
            }
            oldSide.facts = try waiting.fill { keep in
                try old.read { one in
                    oldSide.cases += 1
                    former(one)
                    try keep(one)
                }
            }
            newSide.facts = try now { now in
                newSide.cases += 1
                guard let was = try waiting.take(now.name) else { return try added.add(now) }
                try comparison.add(was, now, past: past(now.name))
            }
            let releases = ReleasePairs(old: oldSide.facts, new: newSide.facts)
            try added.each { now in
                for name in releases.former(of: now.name) {
                    guard let was = try waiting.take(name) else { continue }
                    return try comparison.add(was, now, past: past(now.name))
                }
                comparison.add(onlyNew: now)
            }
            try waiting.each { comparison.add(onlyOld: $0) }
        } catch let error as DatabaseError {
            throw RunFailure("the runs cannot be compared", error)
        }
        return ComparedRuns(old: oldSide, new: newSide, comparison: comparison)
    }
}

/// The cases of the old run that are not paired yet.
private final class UnpairedCases {
    private let database: DatabaseQueue
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init() throws {
        // SQLite deletes a database without a name when it is closed.
        database = try DatabaseQueue(path: "")
        try database.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
                    CREATE TABLE cases (id INTEGER PRIMARY KEY, key TEXT NOT NULL, body TEXT NOT NULL);
                    CREATE INDEX cases_key ON cases (key, id);
                    """
            )
        }
    }

    /// Adds all cases of a run.
    func fill<Facts>(_ tell: ((RecordedCase) throws -> Void) throws -> Facts) throws -> Facts {
        try database.write { database in
            let insert = try database.makeStatement(sql: "INSERT INTO cases (key, body) VALUES (?, ?)")
            return try tell { one in
                let body = String(decoding: try encoder.encode(one), as: UTF8.self)
                try insert.execute(arguments: [one.name.key, body])
            }
        }
    }

    func add(_ one: RecordedCase) throws {
        try database.write { database in
            let insert = try database.cachedStatement(sql: "INSERT INTO cases (key, body) VALUES (?, ?)")
            let body = String(decoding: try encoder.encode(one), as: UTF8.self)
            try insert.execute(arguments: [one.name.key, body])
        }
    }

    /// Removes and returns the first case of a name; nil without one.
    func take(_ name: CaseName) throws -> RecordedCase? {
        try database.writeWithoutTransaction { database in
            let find = try database.cachedStatement(
                sql: "SELECT id, body FROM cases WHERE key = ? ORDER BY id LIMIT 1"
            )
            guard let row = try Row.fetchOne(find, arguments: [name.key]) else { return nil }
            let delete = try database.cachedStatement(sql: "DELETE FROM cases WHERE id = ?")
            try delete.execute(arguments: [row["id"] as Int64])
            return try decoder.decode(RecordedCase.self, from: Data((row["body"] as String).utf8))
        }
    }

    /// Calls a function with each remaining case.
    func each(_ body: (RecordedCase) throws -> Void) throws {
        try database.read { database in
            let rows = try String.fetchCursor(database, sql: "SELECT body FROM cases ORDER BY id")
            while let text = try rows.next() {
                try body(try decoder.decode(RecordedCase.self, from: Data(text.utf8)))
            }
        }
    }
}

/// The releases of the same apps in two runs.
private struct ReleasePairs {
    let old: RunFacts
    let new: RunFacts

    /// The names that a case may have with another release of its app.
    func former(of name: CaseName) -> [CaseName] {
        guard let app = new.releases[name.app]?.app else { return [] }
        let policies = old.releases.filter { $0.key != name.app && $0.value.app == app }.map(\.key).sorted()
        return policies.map { policy in
            var former = name
            former.app = policy
            return former
        }
    }
}
