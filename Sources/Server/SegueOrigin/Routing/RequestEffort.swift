import SeguePackager

/// What a request tells, before it is answered, of the work that its answer takes.
package struct RequestEffort: Sendable, Equatable {
    /// How much work it is.
    package enum Amount: Sendable {
        /// What is there: a file is read, figures are told.
        case none
        /// What is found or made in a moment, as far as is known.
        case little
        /// What is known to take long.
        case much
    }

    /// How much work it is.
    package var amount: Amount
    /// What it is about, an item's id; empty for nothing in particular.
    package var subject: String
    /// Work of one kind takes about as long each time.
    package var kind: String

    /// The effort of answering a request.
    package init(of request: OriginRequest) {
        (amount, subject, kind) = (.little, "", request.target)
        guard let target = try? RequestTarget(request.target), let route = Route(target.components) else { return }
        switch route {
        case .page, .pageFile, .health, .metrics, .code, .certificate: amount = .none
        case .items, .groups, .resume, .resumePoint, .radio, .channel, .mediaServer: break
        case .item(let id): subject = id
        case .part(let part, let id):
            subject = id
            switch part {
            case .original: amount = .none
            case .artwork: break
            case .multivariantPlaylist: if (try? target.query.flag("ladder")) == true { amount = .much }
            case .mediaPlaylist: if (try? target.query.flag("byterange")) == true { amount = .much }
            case .piece(let address):
                switch address.piece {
                case .whole: amount = .much
                case .segment(_, let rendition):
                    kind = "\(id) \(address.device ?? "") \(rendition.rawValue) \(address.container.rawValue)"
                case .initSegment, .subtitles: break
                }
            }
        }
    }
}
