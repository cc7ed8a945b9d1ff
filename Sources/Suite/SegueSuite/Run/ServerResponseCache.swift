internal import SegueFetch
internal import Synchronization

/// A cache of a file server's responses, for further cases of the file and the comparison of content.
///
/// Heads, lengths, and segment inspections are kept for all responses, since every case needs them; bodies only for the
/// latest.
final class ServerResponseCache: Sendable {
    /// The cache key: everything in a request except the player's own description.
    struct Question: Hashable {
        let url: String
        let range: FetchRange?
        let headers: [String]

        init(_ request: FetchRequest) {
            url = request.url
            range = request.range
            headers = request.headers.lazy.filter { !Question.isOfThePlayer($0.name) }.map { "\($0.name): \($0.value)" }
        }

        init(url: String, range: FetchRange?, headers: [String]) {
            (self.url, self.range, self.headers) = (url, range, headers)
        }

        /// A request with this key.
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
        /// The bodies in memory in order of arrival, and their total size.
        var held: [SharedBytes] = []
        var head = 0
        var bytes = 0
    }

    /// The maximum size of bodies in bytes.
    private static let limit = 128 << 20

    private let state = Mutex(State())

    /// All entries, in no order.
    var all: [Question: Answer] { state.withLock(\.answers) }

    /// Adds a response of an earlier run, without its body.
    func learn(_ answer: Answer, to question: Question) { state.withLock { $0.answers[question] = answer } }

    /// The response for a key; nil if it is not cached.
    func answer(to question: Question) -> Answer? { state.withLock { $0.answers[question] } }

    /// Caches a response.
    ///
    /// - Returns: The cached response, which is an earlier one if several were made at the same time, and whether it is
    ///   this one.
    func keep(_ answer: Answer, to question: Question) -> (answer: Answer, isNew: Bool) {
        guard answer.response.status == 200 || answer.response.status == 206 else { return (answer, false) }
        return state.withLock { state in
            if let first = state.answers[question] { return (first, false) }
            state.answers[question] = answer
            state.held.append(answer.body)
            state.bytes += answer.body.count
            while state.bytes > ServerResponseCache.limit, state.head + 1 < state.held.count {
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
