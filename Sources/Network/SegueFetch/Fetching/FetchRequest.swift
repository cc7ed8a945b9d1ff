package import SegueBase

/// The identifier of a request, unique in a run.
package struct FetchID: Hashable, Sendable {
    /// The number, from 1.
    package let number: Int

    package init(_ number: Int) { self.number = number }
}

/// A byte range of a resource.
package struct FetchRange: Hashable, Sendable {
    /// The first byte, from 0.
    package let offset: Int64

    /// The number of bytes, at least 1.
    package let length: Int64

    package init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }
}

/// A user name and password for a server that requires authentication.
public struct FetchCredential: Sendable, Equatable {
    /// The authentication scheme.
    public enum Scheme: String, Sendable {
        /// The scheme that the server requires, after its first refusal.
        case asked
        /// Basic (RFC 7617), in the first request.
        case basic
        /// Digest (RFC 7616), with MD5 or SHA-256 as the server requires.
        case digest
    }

    /// The user name.
    public let user: String

    /// The password in clear text.
    public let password: String

    /// The authentication scheme.
    public var scheme: Scheme

    /// Creates a credential.
    ///
    /// - Parameter scheme: The authentication scheme; by default, the one that the server asks for.
    public init(user: String, password: String, scheme: Scheme = .asked) {
        (self.user, self.password, self.scheme) = (user, password, scheme)
    }
}

extension FetchCredential {
    /// Limits the credential to the hosts of some URLs.
    ///
    /// - Returns: The credential by host and port.
    package func forHosts(of urls: [String]) -> [String: FetchCredential] {
        Dictionary(
            urls.compactMap { FetchURL($0).map { ($0.authority, self) } },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

// Size: a flat record, a property for each option of a request.
/// A request for a resource: GET by default.
package struct FetchRequest: Sendable {
    /// The value of `User-Agent`.
    package static let userAgent = "Segue"

    package let id: FetchID

    /// The absolute URL.
    package let url: String

    /// The requested range; nil for the whole resource.
    package let range: FetchRange?

    /// True if the method is HEAD.
    package var isHead = false

    /// Additional header fields, in order.
    package var headers: [(name: String, value: String)]

    /// The time without a byte after which the request fails.
    package let patience: Duration

    /// The maximum size of the body; a larger one fails the request.
    package let limit: Int

    /// True if parts of the body may be delivered together and late, because the client does not check the request
    /// before ``patience`` ends or another event occurs.
    package var mayBeGathered = false

    /// The connection pool: requests share connections only with requests of the same lane.
    package var lane = ""

    /// True if the connection serves no other request afterwards.
    package var keepsConnection = false

    /// True if the response is not read until ``Fetching/read(_:at:)`` is called.
    package var isUnread = false

    /// The time of arrival at the server, in virtual time; nil in real time.
    package var cameAt: Instant?

    /// The method if it is neither GET nor HEAD; otherwise nil.
    package var method: String?

    /// The request body; nil for none.
    package var body: [UInt8]?

    /// True if redirects are followed, with all ``headers``; otherwise a redirect is the response.
    package var followsRedirects = true

    /// The credential; nil for none.
    package var credential: FetchCredential?

    /// The time limit for connecting; nil for ``patience``.
    package var connectPatience: Duration?

    /// The time limit for the whole request; nil for none.
    package var wholePatience: Duration?

    /// The header field with the virtual time of a request, in seconds.
    package static let timeHeader = "Segue-Time"

    /// The request with its virtual time of arrival as a header field; unchanged in real time.
    package var tellingTime: FetchRequest {
        guard let cameAt else { return self }
        var request = self
        request.headers.append((Self.timeHeader, DecimalText.fixed(cameAt.seconds, places: 3)))
        return request
    }

    /// Creates a GET request; its other properties can be set afterwards.
    package init(
        id: FetchID,
        url: String,
        range: FetchRange? = nil,
        headers: [(name: String, value: String)] = [],
        patience: Duration = .seconds(30),
        limit: Int = 256 << 20
    ) {
        self.id = id
        self.url = url
        self.range = range
        self.headers = headers
        self.patience = patience
        self.limit = limit
    }
}

/// The head of a response.
package struct FetchResponse: Sendable {
    /// The HTTP status; 0 if ``failure`` occurred before the head.
    package let status: Int

    /// The header fields, with names in lower case.
    package let headers: [(name: String, value: String)]

    /// The URL after redirects.
    package let url: String

    /// The server's address as `host:port`; empty if unknown.
    package let serverAddress: String

    /// True if the connection ends with this response.
    package let isLast: Bool

    /// The error after the received bytes; nil for a complete response.
    ///
    /// Only responses that are held as a whole have it; failures of running transfers are events.
    package let failure: FetchError?

    /// The server's time to the first byte, for virtual time; nil if the run defines it.
    package var serverTime: Duration?

    /// The HTTP version, such as `1.1` or `2`; empty if unknown.
    package var version = ""

    /// The use of kept connections by this request, also by its redirects.
    package var connection = ConnectionUse()

    /// The server's own send rate of the body in bits per second, for virtual time; nil for unlimited.
    package var serverRate: Int?

    /// Creates the head of a response; its other properties can be set afterwards.
    package init(
        status: Int,
        headers: [(name: String, value: String)],
        url: String,
        serverAddress: String,
        isLast: Bool = false,
        failure: FetchError? = nil
    ) {
        self.status = status
        self.headers = headers
        self.url = url
        self.serverAddress = serverAddress
        self.isLast = isLast
        self.failure = failure
    }
}

/// The failure of a request without a complete response.
public struct FetchError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public enum Reason: String, Sendable, CaseIterable {
        /// The URL is not an HTTP URL.
        case badURL
        /// The host's name cannot be resolved.
        case cannotResolve
        /// The connection was refused, or the server is unreachable.
        case cannotConnect
        /// TLS failed, or the certificate is not trusted.
        case untrusted
        /// The connection ended early.
        case connectionLost
        /// A time limit was exceeded.
        case timedOut
        /// The response exceeds its size limit.
        case tooLarge
        /// The response is shorter than announced, or ends within its head.
        case truncated
        /// There were too many redirects.
        case tooManyRedirects
        /// Any other failure.
        case other
    }

    /// The kind of failure.
    public let reason: Reason

    /// A one-line description of the failure, with the URL and the cause.
    public let description: String

    /// The description without the URL.
    package let cause: String

    /// True if the body does not decode with its `Content-Encoding`.
    package let isUndecodable: Bool

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - reason: The kind of failure.
    ///   - description: A one-line description of the failure, with the URL and the cause.
    public init(_ reason: Reason, _ description: String) { self.init(reason, description, at: nil) }

    /// Creates a failure of a request for a URL; nil leaves the URL out of the description.
    package init(_ reason: Reason, _ cause: String, at url: String?, isUndecodable: Bool = false) {
        (self.reason, self.cause, self.isUndecodable) = (reason, cause, isUndecodable)
        description = url.map { "\(cause): \($0)" } ?? cause
    }
}

/// An event of a request: a response, any number of data events, then finished or failed; or only failed.
///
/// A cancellation adds no event; events already in the loop's queue must be ignored.
package enum FetchEvent: Sendable {
    /// The head arrived.
    case response(FetchID, FetchResponse)
    /// A part of the body arrived.
    case data(FetchID, FetchBytes)
    /// The whole body arrived.
    case finished(FetchID)
    /// The request failed.
    case failed(FetchID, FetchError)

    /// The request of this event.
    package var id: FetchID {
        switch self {
        case .response(let id, _), .data(let id, _), .finished(let id), .failed(let id, _): id
        }
    }
}

/// A fetcher, which performs requests and delivers their events through the run's event loop.
package protocol Fetching: AnyObject {
    func start(_ request: FetchRequest, at now: Instant)

    /// Cancels a request; only events already in the loop's queue are still delivered.
    func cancel(_ id: FetchID, at now: Instant)

    /// Begins or resumes reading a response.
    func read(_ id: FetchID, at now: Instant)

    /// Stops reading a response until ``read(_:at:)`` is called.
    func stopReading(_ id: FetchID, at now: Instant)
}

extension Fetching {
    /// Does nothing: the fetcher always reads.
    package func read(_ id: FetchID, at now: Instant) {}

    /// Does nothing: the fetcher always reads.
    package func stopReading(_ id: FetchID, at now: Instant) {}
}
