package import SegueOrigin

/// A store of resume positions in a database that several servers share.
package struct SharedPoints: ResumePoints {
    private static let columns = "item, position, duration, finished, at, changed"

    private let database: PostgresDatabase

    package init(_ database: SharedDatabase) { self.database = database.database }

    package func points(of identity: String) throws -> [ResumePoint] {
        try database.transaction {
            try $0.run(
                "SELECT \(Self.columns) FROM segue_points WHERE identity = $1 ORDER BY at DESC, item COLLATE \"C\" LIMIT $2",
                PostgresValue(identity),
                PostgresValue(ResumePoint.most)
            ).rows.compactMap(Self.point)
        }
    }

    package func keep(_ point: ResumePoint, of identity: String) throws -> ResumePoint {
        try database.transaction {
            // Two servers may update the same item at the same time.
            try $0.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", PostgresValue(identity))
            let kept = try $0.run(
                "SELECT \(Self.columns) FROM segue_points WHERE identity = $1 AND item = $2",
                PostgresValue(identity),
                PostgresValue(point.id)
            ).rows.first.flatMap(Self.point)
            let merged = ResumePoint.merged(kept, with: point)
            if merged == kept { return merged }
            try $0.run(
                """
                INSERT INTO segue_points (identity, \(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7)
                ON CONFLICT (identity, item) DO UPDATE SET (\(Self.columns)) = ($2, $3, $4, $5, $6, $7)
                """,
                PostgresValue(identity),
                PostgresValue(merged.id),
                PostgresValue(merged.position),
                PostgresValue(merged.duration),
                PostgresValue(merged.isFinished),
                PostgresValue(merged.at),
                PostgresValue(merged.changed)
            )
            if kept == nil {
                try $0.run(
                    """
                    DELETE FROM segue_points WHERE identity = $1 AND item IN (
                        SELECT item FROM segue_points WHERE identity = $1 ORDER BY at DESC, item COLLATE "C" OFFSET $2)
                    """,
                    PostgresValue(identity),
                    PostgresValue(ResumePoint.most)
                )
            }
            return merged
        }
    }

    package func forget(_ id: String, of identity: String) throws {
        _ = try database.transaction {
            try $0.run(
                "DELETE FROM segue_points WHERE identity = $1 AND item = $2",
                PostgresValue(identity),
                PostgresValue(id)
            ).changed
        }
    }

    private static func point(_ row: PostgresRow) -> ResumePoint? {
        guard let id = row.text(0), let position = row.number(1), let duration = row.number(2), let at = row.integer(4),
            let changed = row.integer(5)
        else { return nil }
        return ResumePoint(
            id: id,
            position: position,
            duration: duration,
            isFinished: row.isTrue(3),
            at: at,
            changed: changed
        )
    }
}
