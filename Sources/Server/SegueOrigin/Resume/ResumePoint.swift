/// Where somebody stopped in an item.
package struct ResumePoint: Sendable, Equatable {
    /// The item's id.
    package var id: String
    /// Where they stopped, in seconds; not negative.
    package var position: Double
    /// How long the item takes, in seconds.
    package var duration: Double
    /// Whether they have seen or heard it to its end.
    package var isFinished: Bool
    /// When that was, as their player says, in milliseconds since 1970.
    package var at: Int64
    /// When the server came to know of it, in milliseconds since 1970.
    package var changed: Int64

    /// A point.
    package init(id: String, position: Double, duration: Double, isFinished: Bool, at: Int64, changed: Int64) {
        (self.id, self.position, self.duration) = (id, position, duration)
        (self.isFinished, self.at, self.changed) = (isFinished, at, changed)
    }

    /// How many points one has; the oldest go.
    package static let most = 5000

    /// What is kept of the point that there is and one that comes: the newest, and of two of one time the one that comes.
    package static func merged(_ kept: ResumePoint?, with coming: ResumePoint) -> ResumePoint {
        guard let kept, kept.at > coming.at else { return coming }
        return kept
    }

    /// Whether it comes before another: the newest first.
    package static func isBefore(_ left: ResumePoint, _ right: ResumePoint) -> Bool {
        left.at == right.at ? left.id < right.id : left.at > right.at
    }
}

/// Keeps where people stopped.
package protocol ResumePoints: Sendable {
    /// The points of somebody, the newest first.
    ///
    /// - Throws: Why they cannot be had.
    func points(of identity: String) throws -> [ResumePoint]

    /// Keeps a point by ``ResumePoint/merged(_:with:)``, and no more than ``ResumePoint/most`` of one.
    ///
    /// - Returns: What is kept now.
    /// - Throws: Why it cannot be kept.
    func keep(_ point: ResumePoint, of identity: String) throws -> ResumePoint

    /// Forgets a point, if there is one.
    ///
    /// - Throws: Why it cannot be forgotten.
    func forget(_ id: String, of identity: String) throws
}
