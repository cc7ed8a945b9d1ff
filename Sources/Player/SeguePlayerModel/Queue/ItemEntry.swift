internal import SegueFetch
internal import SeguePlaylists

/// What comes of an item's own URL, until that tells what the item is, and no more of a playlist than there may be.
struct ItemEntry: Sendable {
    /// What is to be done about what came.
    enum Step {
        /// Nothing: it is kept.
        case nothing
        /// It is handed on.
        case passed
        /// It is more than there may be of a playlist.
        case tooLarge(FetchError)
        /// What has come tells what the item is; all of it is handed on.
        case known(EntryAnswer.Kind, [FetchEvent])
    }

    private let url: String

    /// What has come; nil once it is known what that is.
    private var answer: EntryAnswer?

    /// How many bytes of a playlist have come that nothing else limits.
    private var size = 0

    init(url: String) {
        self.url = url
        answer = EntryAnswer(url: url)
    }

    /// Takes in what comes.
    mutating func take(_ event: FetchEvent) -> Step {
        guard var answer else {
            if case .data(_, let bytes) = event { size += bytes.count }
            guard size > PlaylistLimits().bytes else { return .passed }
            let message = "more than the \(PlaylistLimits().bytes) bytes of a playlist: \(url)"
            return .tooLarge(FetchError(.tooLarge, message))
        }
        let kind = answer.take(event)
        self.answer = answer
        guard let kind else { return .nothing }
        // The answer is handed on from its beginning; one that failed may be asked for again.
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
