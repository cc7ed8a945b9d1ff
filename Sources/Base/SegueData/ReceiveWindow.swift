/// How much an end's system lets be unread and on its way to it on a connection, as data files and options write it:
/// `tuned`, `64 KiB`.
package enum ReceiveWindow: Sendable, Hashable {
    /// So many bytes, whatever is read: what a program asks for with SO_RCVBUF, or an old system gives.
    case fixed(Int)
    /// As Linux tunes it: little at first, and more the more is read in a round trip.
    case tuned

    /// What one must look like, for messages.
    package static let shape = "tuned, or \(ByteSize.shape)"

    /// Reads one; nil for a text that is none.
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
