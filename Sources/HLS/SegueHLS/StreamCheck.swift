internal import Foundation
internal import SegueConformance
internal import SegueFetch

/// Checks a whole stream of a server's own code without a socket: playlists, their resources, and the delivery.
///
/// ```swift
/// let check = StreamCheck { request in
///     let response = try await application.respond(to: request.target, headers: request.headers)
///     return ServerAnswer(status: response.status, headers: response.headers, body: response.body)
/// }
/// #expect(try await check.findings(of: "https://example.com/film/main.m3u8").isEmpty)
/// ```
///
/// For live streams, see ``findings(of:watchedFor:startingAt:)``.
public struct StreamCheck: Sendable {
    /// The server's own code, which several tasks call concurrently.
    public typealias Handler = @Sendable (ServerRequest) async throws -> ServerAnswer

    /// The texts that count.
    public var profile: Profile

    /// False to skip the rules on HTTP delivery, such as header fields, ranges, and conditional requests.
    ///
    /// Statuses and bodies are always checked.
    public var judgesDelivery = true

    /// The maximum number of segments of each playlist.
    public var mostSegments = Int.max

    /// The timeout of the handler in real time.
    public var patience = Duration.seconds(30)

    let handler: Handler

    /// A check of a server.
    ///
    /// - Parameters:
    ///   - profile: The texts that count; `.all` includes Apple's authoring specification.
    ///   - handler: The handler; an error counts as a failed request.
    public init(profile: Profile = .rfc, _ handler: @escaping Handler) {
        (self.profile, self.handler) = (profile, handler)
    }

    var call: HandlerCall { HandlerCall(handler: handler, patience: patience) }

    /// Checks a playlist and its resources once.
    ///
    /// - Parameter url: The URL of the playlist, `http` or `https`. The handler answers for any host.
    /// - Returns: The findings in the order of discovery.
    /// - Throws: ``StreamFailure`` if the playlist cannot be loaded.
    public func findings(of url: String) async throws(StreamFailure) -> [Finding] {
        var options = ValidationOptions()
        (options.mostSegments, options.patience, options.time) = (mostSegments, patience, .seconds(3600))
        (options.judgesDelivery, options.wait) = (judgesDelivery, { _ in })
        let (fetcher, settled) = (HandlerFetcher(call), options)
        guard FetchURL(url) != nil else { throw StreamFailure(description: "\(url): not an http or https URL") }
        let result = await withCheckedContinuation { continuation in
            // A validation waits for answers on its thread.
            Thread {
                continuation.resume(
                    returning: Result { try PresentationLoader(url, by: fetcher, options: settled).look().findings }
                )
            }.start()
        }
        switch result {
        case .success(let found): return Finding.all(found.map { ($0, nil) }, in: profile)
        case .failure(let error): throw StreamFailure(description: "\(error)")
        }
    }
}

/// The reason why a stream cannot be checked.
public struct StreamFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason as one line.
    public let description: String
}
