import SegueOrigin

/// What a piece of work is, as far as its turn is concerned.
struct WorkOrder: Sendable, Equatable {
    /// Which threads do it.
    enum Lane: Int, Sendable, CaseIterable {
        /// What is there: files are read, figures are told.
        case file
        /// What is found or made in a moment, as far as is known.
        case quick
        /// What is known to take long.
        case slow
        /// What nobody has asked for.
        case background
    }

    /// Which threads do it, unless work of this kind has turned out to take long.
    var lane: Lane
    /// Whose it is: clients are served in turn.
    var client: String
    /// What it is about; empty for nothing in particular.
    ///
    /// Of one client's work, one subject after the other has its turn, and of a subject that hangs no more is begun.
    var subject: String
    /// Work of one kind takes about as long each time.
    var kind: String
    /// Whether the answer that it belongs to has begun, so that it waits however much else does.
    var isOwed: Bool

    /// An order of the given parts.
    init(_ lane: Lane, client: String = "", subject: String = "", kind: String = "", isOwed: Bool = false) {
        (self.lane, self.client, self.subject, self.kind, self.isOwed) = (lane, client, subject, kind, isOwed)
    }

    /// What a request is.
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
