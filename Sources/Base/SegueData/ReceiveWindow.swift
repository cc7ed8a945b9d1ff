/// The receive window of a connection, the bytes that may be unread or in flight: `tuned`, `64 KiB`.
package enum ReceiveWindow: Sendable, Hashable {
    /// A fixed size: that of SO_RCVBUF, or of a system without tuning.
    case fixed(Int)
    /// Linux's autotuning: small at first, and larger with the bytes read per round trip.
    case tuned

    /// The expected form, for messages.
    package static let shape = "tuned, or \(ByteSize.shape)"

    /// Reads a window; nil for any other text.
    package init?(_ text: String) {
        if text == "tuned" {
            self = .tuned
        } else if let size = ByteSize(text) {
            self = .fixed(size.bytes)
        } else {
            return nil
        }
    }
}
