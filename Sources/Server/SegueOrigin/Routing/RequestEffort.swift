/// The work that a response takes, as far as the request shows it.
package struct RequestEffort: Sendable, Equatable {
    package enum Amount: Sendable {
        /// A file is read, or values in memory are printed.
        case none
        /// Usually short.
        case little
        /// Long.
        case much
    }

    package var amount: Amount
    /// The id of the item; empty if the request concerns no single item.
    package var subject: String
    /// The kind of work: work of one kind takes about as long each time.
    package var kind: String

    /// The effort of a response.
    package init(of request: OriginRequest) {
        (amount, subject, kind) = (.little, "", request.target)
        guard let resolved = try? request.resolved.get(), let (route, match) = resolved.route else { return }
        // A resume point does not need the item's file, which may be on a disk that hangs.
        subject = route.methods == .reading ? match.itemID ?? "" : ""
        kind = match.kind ?? request.target
        switch route.effort {
        case .none: amount = .none
        case .little: amount = .little
        case .much: amount = .much
        case .muchWith(let parameter): amount = (try? resolved.target.query.flag(parameter)) == true ? .much : .little
        }
    }
}
