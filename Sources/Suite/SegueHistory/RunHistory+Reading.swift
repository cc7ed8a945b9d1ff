internal import Foundation
internal import GRDB
package import SegueComparison

extension RunHistory {
    /// All runs, the newest first.
    package func runs() throws(RunFailure) -> [Run] {
        try reading { database in
            try Row.fetchAll(database, sql: "SELECT * FROM runs ORDER BY number DESC").map { row in
                let facts = try JSONDecoder().decode(RunFacts.self, from: Data((row["facts"] as String).utf8))
                return Run(
                    number: row["number"],
                    facts: facts,
                    cases: row["cases"],
                    bad: row["bad"],
                    judged: row["judged"]
                )
            }
        }
    }

    /// Reads the cases of a run in their order.
    package func cases(of number: Int64, _ tell: (RecordedCase) throws -> Void) throws {
        let decoder = JSONDecoder()
        var place: Int64 = 0
        while true {
            // Results are read in pages, so that the receiver can query the history in between.
            let rows = try reading { database in
                try Row.fetchAll(
                    database,
                    sql: Self.results + " WHERE results.run = ? AND results.place >= ? ORDER BY results.place LIMIT ?",
                    arguments: [number, place, Self.page]
                )
            }
            guard let last = rows.last else { return }
            for row in rows { try tell(try Self.recorded(row, decoder)) }
            place = last["place"] + 1
        }
    }

    private static let page = 500

    /// The figures of a metric of a case in its last good runs.
    ///
    /// `number` is the run before which to look; nil for all runs. Returns the figures, at most ``MetricSpread/runs``.
    ///
    /// - Throws: ``RunFailure``.
    package func past(_ metric: String, of name: CaseName, before number: Int64?) throws(RunFailure)
        -> [Double]
    {
        try reading { database in
            let decoder = JSONDecoder()
            let bodies = try String.fetchAll(
                database,
                sql: """
                    SELECT outcomes.body FROM results JOIN outcomes ON outcomes.id = results.outcome
                    WHERE results.name = (SELECT id FROM names WHERE key = ?) AND results.run < ?
                        AND outcomes.verdict IN ('pass', 'known')
                    ORDER BY results.run DESC LIMIT ?
                    """,
                arguments: [name.key, number ?? Int64.max, MetricSpread.runs]
            )
            return try bodies.compactMap {
                try decoder.decode(StoredOutcome.self, from: Data($0.utf8)).metrics[metric]?.number
            }
        }
    }

    /// The processor time of each case: the median of its last runs.
    ///
    /// A single run is unreliable: the machine may have been busy, or the content known.
    ///
    /// - Parameters:
    ///   - runs: The maximum number of runs.
    ///   - tell: Receives the name and the seconds of processor time of each case.
    /// - Throws: ``RunFailure``, or an error of `tell`.
    package func times(ofLast runs: Int = 5, _ tell: (CaseName, Double) throws -> Void) throws {
        try database.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT results.name, results.seconds, names.file, names.scenario, names.network, names.platform,
                        names.app, names.seed, names.device
                    FROM results JOIN names ON names.id = results.name
                    WHERE results.seconds IS NOT NULL AND results.run IN (
                        SELECT DISTINCT run FROM results WHERE seconds IS NOT NULL ORDER BY run DESC LIMIT ?
                    )
                    ORDER BY results.name
                    """,
                arguments: [runs]
            )
            var one: (id: Int64, name: CaseName, seconds: [Double])?
            func end() throws {
                guard let one else { return }
                try tell(one.name, one.seconds.sorted()[(one.seconds.count - 1) / 2])
            }
            while let row = try rows.next() {
                let id: Int64 = row["name"]
                if one?.id != id {
                    try end()
                    one = (id, Self.name(row), [])
                }
                one?.seconds.append(row["seconds"])
            }
            try end()
        }
    }

    /// Returns whether a file is an SQLite database.
    package static func isDatabase(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\u{0}".utf8)
    }

    /// The size of the history in bytes.
    package func bytes() throws(RunFailure) -> Int {
        try reading { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return try (Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0) * pages
        }
    }

    package func names(_ tell: (CaseName) throws -> Void) throws {
        try database.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT file, scenario, network, platform, app, seed, device FROM names ORDER BY key"
            )
            while let row = try rows.next() { try tell(Self.name(row)) }
        }
    }

    /// The results of a case in all runs, the oldest first.
    package func course(of name: CaseName) throws(RunFailure) -> CaseHistory {
        let known = Dictionary(try runs().map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        return try reading { database in
            let decoder = JSONDecoder()
            let rows = try Row.fetchAll(
                database,
                sql: Self.results + " WHERE names.key = ? ORDER BY results.run, results.place",
                arguments: [name.key]
            )
            let points = try rows.compactMap { row in
                try known[row["run"]].map { run in
                    CaseHistory.Point(run: run.number, facts: run.facts, result: try Self.recorded(row, decoder))
                }
            }
            return CaseHistory(name: name, points: points)
        }
    }

    private static let results = """
        SELECT results.run, results.place, results.seconds, outcomes.verdict, outcomes.body, names.file, names.scenario,
            names.network, names.platform, names.app, names.seed, names.device
        FROM results JOIN outcomes ON outcomes.id = results.outcome JOIN names ON names.id = results.name
        """

    private static func name(_ row: Row) -> CaseName {
        var name = CaseName(
            file: row["file"],
            scenario: row["scenario"],
            network: row["network"],
            platform: row["platform"],
            app: row["app"],
            seed: row["seed"]
        )
        name.device = row["device"]
        return name
    }

    private static func recorded(_ row: Row, _ decoder: JSONDecoder) throws -> RecordedCase {
        let kept = try decoder.decode(StoredOutcome.self, from: Data((row["body"] as String).utf8))
        guard let verdict = Verdict(rawValue: row["verdict"]) else {
            throw RunFailure("history", "run #\(row["run"] as Int64) has the verdict \(row["verdict"] as String)")
        }
        return RecordedCase(
            name: name(row),
            verdict: verdict,
            findings: kept.findings,
            metrics: kept.metrics,
            seconds: row["seconds"]
        )
    }

    private func reading<Value>(_ work: (Database) throws -> Value) throws(RunFailure) -> Value {
        do {
            return try database.read(work)
        } catch {
            throw RunFailure(path, error)
        }
    }
}
