import Foundation
import SegueBase
import SegueCurl
import SegueFetch
import SegueSuite

/// Sends the commands of a run to a server in parallel, and passes the responses back.
struct CommandSender {
    /// The number of parallel commands.
    static let most = 6

    /// The address of the server.
    let base: ServerBase
    /// The timeout for a server that sends nothing.
    let patience: Duration
    /// Header fields of each command.
    let headers: [(name: String, value: String)]

    /// The maximum number of times that a command is sent again because the server refused it for a time.
    private static let mostRepetitions = 5
    /// The maximum wait that a server may request.
    private static let longestWait = Duration.seconds(60)

    /// An event of a transfer, or the end of a wait before a command is sent again.
    private enum News {
        case fetch(FetchEvent)
        case again(FetchID)
    }

    /// An incomplete response.
    private struct Pending {
        var command: ServerCommand
        var repetitions = 0
        var since: ContinuousClock.Instant
        var answer = CommandResponse(status: 0)

        /// The time after which the server serves the command; nil if it has not refused it for a time.
        var wait: Duration? {
            [429, 503].contains(answer.status) ? RetryAfter.delay(in: answer.headers) : nil
        }
    }

    /// Sends all commands of a run, and those that responses lead to.
    ///
    /// A server may refuse a command for a time, with 429 or 503 and `Retry-After`. It is then sent again after that
    /// time, because the speed of this program is no fault of the server.
    ///
    /// - Throws: ``FetchError`` when libcurl cannot be set up.
    func send(_ run: CommandRun, progress: (CommandRun) -> Void) async throws -> CommandRun {
        let (events, came) = AsyncStream.makeStream(of: News.self)
        let fetcher = try LiveFetcher(FetchRecipient { came.yield(.fetch($0)) })
        defer { fetcher.close() }
        var run = run
        var pending: [FetchID: Pending] = [:]
        var count = 0
        func fill() {
            while pending.count < Self.most, let command = run.next() {
                count += 1
                let request = self.request(FetchID(count), command)
                pending[request.id] = Pending(command: command, since: .now)
                fetcher.start(request, at: .zero)
            }
        }
        /// Sends a command again later, if the server has requested that.
        func postpone(_ id: FetchID) -> Bool {
            guard let refused = pending[id], let wait = refused.wait, wait <= Self.longestWait,
                refused.repetitions < Self.mostRepetitions
            else { return false }
            pending[id]?.repetitions += 1
            Task {
                try? await Task.sleep(for: wait)
                came.yield(.again(id))
            }
            return true
        }
        func end(_ id: FetchID, _ failure: String?) {
            if failure == nil, postpone(id) { return }
            guard var ended = pending.removeValue(forKey: id) else { return }
            ended.answer.failure = failure
            run.take(ended.answer, to: ended.command, after: (ContinuousClock.now - ended.since) / .seconds(1))
            progress(run)
        }
        fill()
        guard !pending.isEmpty else { return run }
        for await news in events {
            guard case .fetch(let event) = news else {
                if case .again(let id) = news, let command = pending[id]?.command {
                    pending[id]?.answer = CommandResponse(status: 0)
                    fetcher.start(request(id, command), at: .zero)
                }
                continue
            }
            switch event {
            case .response(let id, let response):
                pending[id]?.answer.status = response.status
                pending[id]?.answer.headers = response.headers
            case .data(let id, let bytes):
                pending[id]?.answer.body += bytes.bytes
                if let enough = pending[id]?.command.enough, pending[id]?.answer.body.count ?? 0 >= enough {
                    fetcher.cancel(id, at: .zero)
                    end(id, nil)
                }
            case .finished(let id): end(id, nil)
            case .failed(let id, let error): end(id, error.description)
            }
            fill()
            if pending.isEmpty { break }
        }
        return run
    }

    private func request(_ id: FetchID, _ command: ServerCommand) -> FetchRequest {
        // Bodies are requested uncompressed unless a command says otherwise, since lengths and ranges refer to that
        // form.
        let isSaid = command.headers.contains { $0.name == "Accept-Encoding" }
        let packing = isSaid ? [] : [(name: "Accept-Encoding", value: "identity")]
        var request = FetchRequest(
            id: id,
            url: base.address(command.key) + command.target,
            headers: headers + packing + command.headers,
            patience: patience
        )
        request.isHead = command.method == "HEAD"
        if command.method != "GET", command.method != "HEAD" { request.method = command.method }
        request.body = command.body
        request.followsRedirects = false
        return request
    }
}
