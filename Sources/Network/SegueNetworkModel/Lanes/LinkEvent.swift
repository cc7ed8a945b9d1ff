/// An event in the future of a link.
enum LinkEvent {
    case synAtServer, synAnswerAtClient, synTimeout(attempt: Int), handshakeEndAtServer
    /// The arrival of a segment, which acknowledges the other direction up to a position in its log.
    case segment(LinkDirection, Receiver.Arrival, logCount: Int)
    case acknowledgementDue(LinkDirection)
    case acknowledgement(LinkDirection, logCount: Int)
    case senderDeadline(LinkDirection)
    case reset(LinkDirection), handover
    case answer(headBytes: Int, bodyBytes: Int)

    /// The direction of a packet whose arrival this is; nil for other events.
    var packetDirection: LinkDirection? {
        switch self {
        case .synAtServer, .handshakeEndAtServer: .up
        case .synAnswerAtClient: .down
        case .segment(let direction, _, _), .reset(let direction): direction
        case .acknowledgement(let direction, _): direction.opposite
        default: nil
        }
    }
}
