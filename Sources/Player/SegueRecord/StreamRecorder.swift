internal import SegueBase
internal import SegueCurl
internal import SegueFetch

/// Fetches a stream with all that it names, and writes down what came.
package actor StreamRecorder {
    /// What a recording may take at the most.
    package struct Limits: Sendable {
        /// Bytes of all bodies together.
        package var bytes = 1 << 30
        /// Answers.
        package var answers = 50_000
        /// Requests at once.
        package var atOnce = 4

        /// Limits; the given ones are a gibibyte and fifty thousand answers.
        package init() {}
    }

    /// Why a stream cannot be recorded.
    package enum Failure: Error, Sendable, CustomStringConvertible {
        /// The first request brought nothing of use.
        case noStream(url: String, reason: String)
        /// It is more than the limits allow.
        case tooLarge(url: String, bytes: Int)

        /// What is wrong and what to do.
        package var description: String {
            switch self {
            case .noStream(let url, let reason): "\(url): cannot be recorded: \(reason)"
            case .tooLarge(let url, let bytes):
                "\(url): cannot be recorded: it has more than the \(bytes) bytes that are allowed; allow for more, or"
                    + " record one variant's playlist"
            }
        }
    }

    private let headers: [(name: String, value: String)]
    private let following: Duration
    private let limits: Limits
    private let writer: RecordingWriter
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    private var seen: Set<String> = []
    private var bytes = 0
    private var answers = 0

    /// Records a stream.
    ///
    /// What a resource is answered with is written down, errors too; a playlist that cannot be read leads nowhere. A live
    /// stream's playlists are fetched again as a player would, and what is new in them.
    ///
    /// - Parameters:
    ///   - url: The stream's playlist, or anything else that a player plays.
    ///   - folder: Where the recording is written; one that is there is replaced once the new one is whole.
    ///   - headers: Further header fields of each request.
    ///   - following: For how long of real time a live stream is followed; zero takes what it lists once.
    ///   - limits: What it may take.
    /// - Throws: ``Failure``, `RecordingError`, or `CancellationError`.
    package static func record(
        _ url: String,
        into folder: String,
        headers: [(name: String, value: String)] = [],
        following: Duration = .zero,
        limits: Limits = Limits()
    ) async throws {
        let recorder = try StreamRecorder(folder, headers: headers, following: following, limits: limits)
        try await recorder.record(url)
    }

    private init(
        _ folder: String,
        headers: [(name: String, value: String)],
        following: Duration,
        limits: Limits
    ) throws {
        (self.headers, self.following, self.limits) = (headers, following, limits)
        writer = try RecordingWriter(folder)
        began = clock.now
    }

    private func record(_ url: String) async throws {
        guard let entry = try await fetch(url, mustCome: true) else { return }
        let named = NamedResources(entry.bytes, from: entry.url, importing: [:])
        let playlists = named?.playlists ?? []
        let variables = named?.variables ?? [:]
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let named, playlists.isEmpty { group.addTask { try await self.follow(url, first: named, [:]) } }
            for playlist in playlists where seen.insert(playlist).inserted {
                group.addTask { try await self.follow(playlist, first: nil, variables) }
            }
            try await group.waitForAll()
        }
        try writer.close()
    }

    /// Fetches what a media playlist names, and while it is live and followed, what it names next.
    private func follow(_ url: String, first: NamedResources?, _ variables: [String: String]) async throws {
        var named = first
        while true {
            if named == nil {
                guard let answer = try await fetch(url) else { return }
                named = NamedResources(answer.bytes, from: answer.url, importing: variables)
            }
            guard let present = named else { return }
            try await fetchAll(present.media)
            guard let reload = present.reload, clock.now - began + reload <= following else { return }
            try await Task.sleep(for: reload)
            named = nil
        }
    }

    /// Fetches what was not yet, some at once.
    private func fetchAll(_ urls: [String]) async throws {
        var rest = urls.filter { seen.insert($0).inserted }[...]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for url in rest.prefix(max(1, limits.atOnce)) { group.addTask { _ = try await self.fetch(url) } }
            rest = rest.dropFirst(max(1, limits.atOnce))
            while try await group.next() != nil {
                if let url = rest.popFirst() { group.addTask { _ = try await self.fetch(url) } }
            }
        }
    }

    /// Fetches something and writes down what came.
    ///
    /// - Returns: The answer; nil where none came that can be used.
    private func fetch(_ url: String, mustCome: Bool = false) async throws -> (url: String, bytes: [UInt8])? {
        let at = (clock.now - began).seconds
        let answer: FetchAnswer
        do {
            answer = try await HTTPFetcher(url, headers: headers, limit: max(1, limits.bytes - bytes)).fetch()
        } catch let failure as HTTPFailure {
            if failure.kind == .transport(.tooLarge) { throw Failure.tooLarge(url: url, bytes: limits.bytes) }
            if mustCome { throw Failure.noStream(url: url, reason: failure.description) }
            // A server that does not answer at all is like one that has nothing.
            try add(url, at: at, status: failure.answer?.status ?? 504, failure.answer)
            return nil
        }
        try add(url, at: at, status: answer.status, answer)
        return (answer.url, answer.bytes)
    }

    private func add(_ url: String, at seconds: Double, status: Int, _ answer: FetchAnswer?) throws {
        let body = answer?.bytes ?? []
        bytes += body.count
        answers += 1
        guard bytes <= limits.bytes, answers <= limits.answers else {
            throw Failure.tooLarge(url: url, bytes: limits.bytes)
        }
        let exchange = RecordedExchange(
            at: seconds,
            url: url,
            status: status,
            redirectedTo: answer.flatMap { $0.url == url ? nil : $0.url },
            headers: (answer?.headers ?? []).map { .init(name: $0.name, value: $0.value) }
        )
        try writer.add(exchange, body: body)
    }
}
