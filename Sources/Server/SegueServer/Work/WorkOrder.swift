import SegueOrigin

/// The priority of a job.
struct WorkOrder: Sendable, Equatable {
    /// The threads that run a job.
    enum Lane: Int, Sendable, CaseIterable {
        /// Reading files, and printing values in memory.
        case file
        /// Work that is usually short.
        case quick
        /// Work that is known to take long.
        case slow
        /// Background work.
        case background
    }

    /// The lane, unless the job's kind has turned out to take long.
    var lane: Lane
    /// The client; clients take turns.
    var client: String
    /// The subject, such as an item; empty for none.
    ///
    /// The subjects of a client take turns, and no job on a subject that hangs is started.
    var subject: String
    /// The kind: jobs of one kind take about as long each time.
    var kind: String
    /// True if the job's response has begun; such a job is queued even above the limit.
    var isOwed: Bool

    init(_ lane: Lane, client: String = "", subject: String = "", kind: String = "", isOwed: Bool = false) {
        (self.lane, self.client, self.subject, self.kind, self.isOwed) = (lane, client, subject, kind, isOwed)
    }

    /// Creates the order of a request.
    init(_ request: OriginRequest, client: String) {
        let effort = RequestEffort(of: request)
        let lane: Lane =
            switch effort.amount {
            case .none: .file
            case .little: .quick
            case .much: .slow
            }
        self.init(lane, client: client, subject: effort.subject, kind: effort.kind)
    }
}
