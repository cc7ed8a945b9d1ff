internal import SegueFetch
internal import Synchronization

/// What a file's server answered, so that further cases of the file, and the comparison of content, need not have it
/// made again.
///
/// Heads, lengths and what was found out about the bytes are kept of every answer: that is what a case needs. The bytes
/// themselves are kept of the last ones.
final class KeptAnswers: Sendable {
    /// What the answer depends on: all of a request but what the player tells of itself.
    struct Question: Hashable {
        let url: String
        let range: FetchRange?
        let headers: [String]

        init(_ request: FetchRequest) {
            url = request.url
            range = request.range
            headers = request.headers.lazy.filter { !Question.isOfThePlayer($0.name) }.map { "\($0.name): \($0.value)" }
        }

        /// A question that was put before.
        init(url: String, range: FetchRange?, headers: [String]) {
            (self.url, self.range, self.headers) = (url, range, headers)
        }

        /// The request that it is asked by.
        var request: FetchRequest {
            FetchRequest(
                id: FetchID(1),
                url: url,
                range: range,
                headers: headers.map { field in
                    let name = field.prefix { $0 != ":" }
                    return (String(name), String(field.dropFirst(name.count + 2)))
                }
            )
        }

        private static func isOfThePlayer(_ name: String) -> Bool {
            name.utf8.prefix(5).elementsEqual("cmcd-".utf8) { $0 | 0x20 == $1 | 0x20 }
        }
    }

    typealias Answer = (response: FetchResponse, body: SharedBytes)

    private struct State {
        var answers: [Question: Answer] = [:]
        /// The bodies whose bytes are held, in the order in which they came, and how many they are.
        var held: [SharedBytes] = []
        var head = 0
        var bytes = 0
    }

    /// How many bytes of bodies are kept.
    private static let limit = 128 << 20

    private let state = Mutex(State())

    /// All that is kept, in no order.
    var all: [Question: Answer] { state.withLock(\.answers) }

    /// Takes an answer that was made before, without its bytes.
    func learn(_ answer: Answer, to question: Question) { state.withLock { $0.answers[question] = answer } }

    /// The answer to a question; nil where it is not kept.
    func answer(to question: Question) -> Answer? { state.withLock { $0.answers[question] } }

    /// Keeps an answer.
    ///
    /// - Returns: The answer that is kept, the first where several were made at the same time; and whether it is this one.
    func keep(_ answer: Answer, to question: Question) -> (answer: Answer, isNew: Bool) {
        guard answer.response.status == 200 || answer.response.status == 206 else { return (answer, false) }
        return state.withLock { state in
            if let first = state.answers[question] { return (first, false) }
            state.answers[question] = answer
            state.held.append(answer.body)
            state.bytes += answer.body.count
            while state.bytes > KeptAnswers.limit, state.head + 1 < state.held.count {
                let oldest = state.held[state.head]
                oldest.letGo()
                state.bytes -= oldest.count
                state.head += 1
            }
            if state.head > 256 {
                state.held.removeFirst(state.head)
                state.head = 0
            }
            return (answer, true)
        }
    }
}
