internal import SegueFetch
public import SeguePlayer
internal import SegueTime

extension Server {
    /// A server that replays a real server's responses, which are recorded once.
    ///
    /// The first time, the stream is fetched completely: every variant and rendition in its playlists. It is written
    /// into a folder, which may be kept beside the tests; after that, no request is sent. Call it before a world is
    /// created, because fetching takes real time:
    ///
    /// ```swift
    /// let server = try await Server.fetching("https://example.com/film/master.m3u8", keptIn: "Streams/film")
    /// try await withWorld(network: "3g", server: server) { world in
    ///     world.player.insert(PlayerItem(url: "https://example.com/film/master.m3u8"))
    /// ```
    ///
    /// A live stream that is followed is replayed as it was at each time.
    ///
    /// - Parameters:
    ///   - url: The stream's playlist, or a file.
    ///   - folder: The folder of the recording.
    ///   - headers: Additional header fields of each request, such as a token.
    ///   - following: The real time for which a live stream is followed; zero fetches its present contents once.
    ///   - limit: The maximum number of bytes, from 1.
    /// - Returns: The server.
    /// - Throws: An error with a one-line description within virtual time, if the stream cannot be fetched or exceeds
    ///   the limit, and if the recording cannot be written or read; `CancellationError` if the task is canceled.
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

/// An error that prevents fetching.
public enum FetchingError: Error, Sendable, CustomStringConvertible {
    /// The call was made within virtual time.
    case inVirtualTime

    /// The problem and its solution.
    public var description: String {
        "`Server.fetching` needs real time: call it before `withWorld` or `virtualTime`"
    }
}
