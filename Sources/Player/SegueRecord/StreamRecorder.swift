internal import SegueBase
internal import SegueCurl
internal import SegueFetch

/// Records a stream with all resources that it refers to.
package actor StreamRecorder {
    /// The limits of a recording.
    package struct Limits: Sendable {
        /// The maximum number of bytes of all bodies.
        package var bytes = 1 << 30
        /// The maximum number of responses.
        package var answers = 50_000
        /// The maximum number of concurrent requests.
        package var atOnce = 4

        /// The default limits: one gibibyte, and fifty thousand responses.
        package init() {}
    }

    /// An error that prevents a recording.
    package enum Failure: Error, Sendable, CustomStringConvertible {
        /// The first request returned nothing usable.
        case noStream(url: String, reason: String)
        /// The stream exceeds the limits.
        case tooLarge(url: String, bytes: Int)

        /// The problem and its solution.
        package var description: String {
            switch self {
            case .noStream(let url, let reason): "\(url): cannot be recorded: \(reason)"
            case .tooLarge(let url, let bytes):
                "\(url): cannot be recorded: it exceeds the limit of \(bytes) bytes; raise the limit, or record the playlist"
                    + " of a single variant"
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
    /// Responses are recorded as they are, including errors. A playlist that cannot be parsed is not followed. The
    /// playlists of a live stream are reloaded as by a player, with the new resources in them.
    ///
    /// - Parameters:
    ///   - url: The stream's playlist, or another resource that a player plays.
    ///   - folder: The folder of the recording. An existing one is replaced when the new one is complete.
    ///   - headers: Additional header fields of each request.
    ///   - following: The real time for which a live stream is followed; zero records its present contents once.
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

    /// Fetches the resources of a media playlist, and of its reloads while it is live and followed.
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

    /// Fetches the resources that were not fetched before, several at once.
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

    /// Fetches a resource and records the response.
    ///
    /// - Returns: The response; nil if it is unusable.
    private func fetch(_ url: String, mustCome: Bool = false) async throws -> (url: String, bytes: [UInt8])? {
        let at = (clock.now - began).seconds
        let answer: FetchAnswer
        do {
            answer = try await HTTPFetcher(url, headers: headers, limit: max(1, limits.bytes - bytes)).fetch()
        } catch let failure as HTTPFailure {
            if failure.kind == .transport(.tooLarge) { throw Failure.tooLarge(url: url, bytes: limits.bytes) }
            if mustCome { throw Failure.noStream(url: url, reason: failure.cause) }
            // A server that does not respond counts as one without the resource.
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
        var exchange = RecordedExchange(
            at: seconds,
            url: url,
            status: status,
            headers: (answer?.headers ?? []).map { .init(name: $0.name, value: $0.value) }
        )
        exchange.redirectedTo = answer.flatMap { $0.url == url ? nil : $0.url }
        try writer.add(exchange, body: body)
    }
}
