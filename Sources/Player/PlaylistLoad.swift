internal import Fetch
internal import HLS
internal import Timeline

/// Loads one playlist, trying again as the profile says.
struct PlaylistLoad: Sendable {
    let url: String

    private(set) var transfer: Transfer?
    private var attempts = Attempts()

    init(url: String) { self.url = url }

    /// When it goes on by itself; nil when it does not.
    var nextChange: Instant? { transfer == nil ? attempts.retryAt : nil }

    mutating func load(at now: Instant, output: inout PlayerOutput, request: (FetchID, String) -> FetchRequest) {
        guard transfer == nil, attempts.allow(at: now) else { return }
        attempts.begin()
        transfer = Transfer(id: output.fetch("playlist") { request($0, url) }, url: url, range: nil, began: now)
    }

    mutating func stop(output: inout PlayerOutput) {
        if let transfer { output.cancel(transfer.id) }
        transfer = nil
    }

    /// Takes in news of the request.
    ///
    /// - Returns: The playlist with the URL that it came from and its bytes, or why it will never come; nil while that
    ///   is open.
    mutating func receive(
        _ event: FetchEvent,
        importing variables: [String: String],
        item: ItemID,
        at now: Instant,
        settings: PlatformProfile.Loading,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) -> Result<(playlist: Playlist, url: String, bytes: [UInt8]), PlaybackError>? {
        let failure: PlaybackError
        switch event {
        case .response(_, let response):
            transfer?.receive(response)
            return nil
        case .data(_, let bytes):
            transfer?.receive(bytes)
            return nil
        case .failed(_, let error):
            failure = PlaybackError(error)
        case .finished:
            guard let transfer else { return nil }
            switch transfer.result() {
            case .success(let bytes):
                journal.update(uri: url, at: now) { entry in
                    entry.requests += 1
                    entry.bytes += bytes.count
                    entry.serverAddress = transfer.response?.serverAddress ?? ""
                }
                do {
                    let playlist = try Playlist.parse(bytes, from: transfer.finalURL, importing: variables)
                    self.transfer = nil
                    return .success((playlist, transfer.finalURL, bytes))
                } catch {
                    failure = PlaybackError(.unreadable, "\(error): \(url)")
                }
            case .failure(let error):
                failure = error
            }
        }
        transfer = nil
        journal.record(failure, uri: url, item: item, at: now, output: &output)
        // A playlist that the server has not is not looked for again; one that it could not give just now is.
        let isFinal = failure.domain == .http && failure.code < 500
        return isFinal || !attempts.fail(failure, at: now, settings) ? .failure(failure) : nil
    }
}
