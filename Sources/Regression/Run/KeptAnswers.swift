internal import Fetch
internal import Synchronization

/// What a file's server answered, so that further cases of the file, and the comparison of content, get the same bytes
/// without having them made again.
///
/// What comes first is kept: cases ask for the same things in the same order, and so each finds what is kept.
final class KeptAnswers: Sendable {
    /// What the answer depends on: all of a request but what the player tells of itself.
    struct Question: Hashable {
        private let url: String
        private let range: FetchRange?
        private let headers: [String]

        init(_ request: FetchRequest) {
            url = request.url
            range = request.range
            headers = request.headers.filter { !$0.name.lowercased().hasPrefix("cmcd-") }.map {
                "\($0.name): \($0.value)"
            }
        }
    }

    typealias Answer = (response: FetchResponse, body: [UInt8])

    private struct State {
        var answers: [Question: Answer] = [:]
        var bytes = 0
    }

    /// How many bytes of bodies are kept.
    private static let limit = 128 << 20

    private let state = Mutex(State())

    /// The answer to a question; nil where it is not kept.
    func answer(to question: Question) -> Answer? { state.withLock { $0.answers[question] } }

    /// Keeps an answer, where there is room.
    ///
    /// - Returns: Whether it was kept, and is the first to that question.
    func keep(_ answer: Answer, to question: Question) -> Bool {
        guard answer.response.status == 200 || answer.response.status == 206 else { return false }
        return state.withLock { state in
            guard state.bytes + answer.body.count <= KeptAnswers.limit, state.answers[question] == nil else {
                return false
            }
            state.answers[question] = answer
            state.bytes += answer.body.count
            return true
        }
    }
}
