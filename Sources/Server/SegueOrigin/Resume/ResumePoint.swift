/// A resume position in an item.
package struct ResumePoint: Sendable, Equatable {
    package var id: String
    /// The position in seconds; not negative.
    package var position: Double
    /// The duration of the item in seconds.
    package var duration: Double
    /// True if the item was played to its end.
    package var isFinished: Bool
    /// The time of the position by the player's clock, in milliseconds since 1970.
    package var at: Int64
    /// The time at which the server received it, in milliseconds since 1970.
    package var changed: Int64

    package init(id: String, position: Double, duration: Double, isFinished: Bool, at: Int64, changed: Int64) {
        (self.id, self.position, self.duration) = (id, position, duration)
        (self.isFinished, self.at, self.changed) = (isFinished, at, changed)
    }

    /// The maximum number of positions of a person; the oldest are evicted.
    package static let most = 5000

    /// Returns the newer of two positions; of two with the same time, the incoming one.
    ///
    /// A position from the future, stored while the server's clock was ahead, is not a newer one.
    package static func merged(_ kept: ResumePoint?, with coming: ResumePoint) -> ResumePoint {
        guard let kept, kept.at > coming.at, kept.at <= coming.changed else { return coming }
        return kept
    }

    /// The position with no time after the present one.
    func notAfter(_ now: Int64) -> ResumePoint {
        var point = self
        (point.at, point.changed) = (min(at, now), min(changed, now))
        return point
    }

    /// Returns true if a position sorts before another: the newest first.
    package static func isBefore(_ left: ResumePoint, _ right: ResumePoint) -> Bool {
        left.at == right.at ? left.id < right.id : left.at > right.at
    }
}

/// A store of resume positions.
package protocol ResumePoints: Sendable {
    /// The positions of a person, the newest first.
    ///
    /// - Throws: An error of the store.
    func points(of identity: String) throws -> [ResumePoint]

    /// Merges a position (see ``ResumePoint/merged(_:with:)``) and evicts positions above ``ResumePoint/most``.
    ///
    /// - Returns: The stored position.
    /// - Throws: An error of the store.
    func keep(_ point: ResumePoint, of identity: String) throws -> ResumePoint

    /// Removes a position if there is one.
    ///
    /// - Throws: An error of the store.
    func forget(_ id: String, of identity: String) throws
}
