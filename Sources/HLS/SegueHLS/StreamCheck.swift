internal import Foundation
internal import SegueConformance
internal import SegueFetch

/// Checks a whole stream of a server's own code, without a socket: playlists, what they lead to, and how it is delivered.
///
/// ```swift
/// let check = StreamCheck { request in
///     let response = try await application.respond(to: request.target, headers: request.headers)
///     return ServerAnswer(status: response.status, headers: response.headers, body: response.body)
/// }
/// #expect(try await check.findings(of: "https://example.com/film/main.m3u8").isEmpty)
/// ```
///
/// A live stream is watched, in no time: see ``findings(of:watchedFor:startingAt:)``.
public struct StreamCheck: Sendable {
    /// What answers: a server's own code, which is called by several tasks at once.
    public typealias Handler = @Sendable (ServerRequest) async throws -> ServerAnswer

    /// The texts that count.
    public var profile: Profile

    /// Whether it counts how HTTP delivers: header fields, ranges, conditions and the like.
    ///
    /// Without, only statuses and bodies are looked at.
    public var judgesDelivery = true

    /// The most segments of each playlist that are looked into.
    public var mostSegments = Int.max

    /// How long the handler may take for an answer, in real time.
    public var patience = Duration.seconds(30)

    let handler: Handler

    /// A check of a server.
    ///
    /// - Parameters:
    ///   - profile: The texts that count; `.all` has Apple's authoring specification count besides.
    ///   - handler: Answers; what it throws is told as a server that does not answer.
    public init(profile: Profile = .rfc, _ handler: @escaping Handler) {
        (self.profile, self.handler) = (profile, handler)
    }

    var call: HandlerCall { HandlerCall(handler: handler, patience: patience) }

    /// Looks at a playlist, and all that it leads to, once.
    ///
    /// - Parameter url: The playlist's URL, `http` or `https`; who answers is the handler, whatever the host.
    /// - Returns: What is wrong, in the order in which it was found.
    /// - Throws: ``StreamFailure`` where the playlist cannot be had at all.
    public func findings(of url: String) async throws(StreamFailure) -> [Finding] {
        var options = ValidationOptions()
        (options.mostSegments, options.patience, options.time) = (mostSegments, patience, .seconds(3600))
        options.judgesDelivery = judgesDelivery
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

/// Why a stream cannot be looked at: which, and why.
public struct StreamFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// One line that says so.
    public let description: String
}
