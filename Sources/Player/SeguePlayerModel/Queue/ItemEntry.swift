internal import SegueFetch
internal import SeguePlaylists

/// The response to the request for an item's own URL, held until it identifies the kind of item.
///
/// It limits the size of playlists.
struct ItemEntry: Sendable {
    /// The result of an event.
    enum Step {
        /// The event is held.
        case nothing
        /// The event passes through.
        case passed
        /// The response exceeds the maximum size of a playlist.
        case tooLarge(FetchError)
        /// The kind of item is known. All held events pass through.
        case known(EntryAnswer.Kind, [FetchEvent])
    }

    private let url: String

    /// The response so far; nil once the kind is known.
    private var answer: EntryAnswer?

    /// The number of bytes of a playlist without any other limit.
    private var size = 0

    init(url: String) {
        self.url = url
        answer = EntryAnswer(url: url)
    }

    /// Handles an event.
    mutating func receive(_ event: FetchEvent) -> Step {
        guard var answer else {
            if case .data(_, let bytes) = event { size += bytes.count }
            guard size > PlaylistLimits().bytes else { return .passed }
            let message = "the playlist exceeds the limit of \(PlaylistLimits().bytes) bytes: \(url)"
            return .tooLarge(FetchError(.tooLarge, message))
        }
        let kind = answer.receive(event)
        self.answer = answer
        guard let kind else { return .nothing }
        // The response passes through from its start. A failed request may be repeated.
        self.answer = kind == .failure ? EntryAnswer(url: url) : nil
        size = answer.bytes.count
        var events: [FetchEvent] = []
        if let response = answer.response { events.append(.response(event.id, response)) }
        if !answer.bytes.isEmpty { events.append(.data(event.id, answer.bytes)) }
        switch event {
        case .response, .data: break
        case .finished, .failed: events.append(event)
        }
        return .known(kind, events)
    }
}
