internal import SegueFetch
public import SeguePlayer
internal import SegueTime

extension Server {
    /// A server that answers as a real one did, which is asked once.
    ///
    /// The first time the stream is fetched, with all that its playlists name: every variant and rendition. It is written
    /// into a folder, which may be kept beside the tests; from then on no request is made. It is called before a world is
    /// made, as what is fetched comes in real time:
    ///
    /// ```swift
    /// let server = try await Server.fetching("https://example.com/film/master.m3u8", keptIn: "Streams/film")
    /// try await withWorld(network: "3g", server: server) { world in
    ///     world.player.insert(PlayerItem(url: "https://example.com/film/master.m3u8"))
    /// ```
    ///
    /// A live stream that is followed is answered as it was at each time.
    ///
    /// - Parameters:
    ///   - url: The stream's playlist, or a file.
    ///   - folder: Where it is kept.
    ///   - headers: Further header fields of each request, such as a token.
    ///   - following: For how long of real time a live stream is followed, from zero, which takes what it lists once.
    ///   - limit: The most bytes that it may have, from 1.
    /// - Returns: The server.
    /// - Throws: An error of one line: within virtual time, where the stream cannot be had or is larger, and where it
    ///   cannot be kept or read; `CancellationError` where the task is cancelled.
    public static func fetching(
        _ url: String,
        keptIn folder: String,
        headers: [(name: String, value: String)] = [],
        following: Duration = .zero,
        limit: Int = 1 << 30
    ) async throws -> Server {
        guard !VirtualTime.isActive else { throw FetchingError.inVirtualTime }
        if !RecordingFolder.exists(at: folder) {
            var limits = StreamRecorder.Limits()
            limits.bytes = max(1, limit)
            try await StreamRecorder.record(
                url,
                into: folder,
                headers: headers,
                following: max(.zero, following),
                limits: limits
            )
        }
        return try recorded(folder)
    }
}

/// Why a stream is not fetched.
public enum FetchingError: Error, Sendable, CustomStringConvertible {
    /// It was to be fetched within virtual time.
    case inVirtualTime

    /// What is wrong and what to do.
    public var description: String {
        "a stream is fetched in real time: call `Server.fetching` before `withWorld` or `virtualTime`"
    }
}
