internal import SegueFetch

/// A complete response with media.
struct ReceivedMedia: Sendable {
    let transfer: Transfer
    let bytes: FetchBytes

    /// The loading time.
    let took: Duration
}
