package import SegueBase

/// Names one request in a run; never used twice.
package struct FetchID: Hashable, Sendable {
    /// Counts up from 1.
    package let number: Int

    /// The name of the request with this number.
    package init(_ number: Int) { self.number = number }
}

/// A half-open range of bytes of a resource.
package struct FetchRange: Hashable, Sendable {
    /// The first byte, from 0.
    package let offset: Int64

    /// How many bytes, at least 1.
    package let length: Int64

    /// The range of `length` bytes from `offset`.
    package init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }
}

/// What is shown to a server that wants to know who asks.
public struct FetchCredential: Sendable, Equatable {
    /// How it is shown.
    public enum Scheme: String, Sendable {
        /// As the server asks for it, after it has refused once.
        case asked
        /// Basic (RFC 7617), with the first request.
        case basic
        /// Digest (RFC 7616), with MD5 or SHA-256 as the server wants.
        case digest
    }

    /// The user's name.
    public let user: String

    /// The password.
    public let password: String

    /// How they are shown.
    public var scheme: Scheme

    /// A name and a password.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - scheme: How they are shown.
    public init(user: String, password: String, scheme: Scheme = .asked) {
        (self.user, self.password, self.scheme) = (user, password, scheme)
    }
}

extension FetchCredential {
    /// Shows this to the hosts of some URLs, and to no others.
    ///
    /// - Returns: The credential by each host with its port.
    package func forHosts(of urls: [String]) -> [String: FetchCredential] {
        Dictionary(
            urls.compactMap { FetchURL($0).map { ($0.authority, self) } },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

/// One request of a resource: a GET or a HEAD, unless it says otherwise.
package struct FetchRequest: Sendable {
    /// What the program calls itself in each.
    package static let userAgent = "Segue"

    /// Its name.
    package let id: FetchID

    /// The absolute URL.
    package let url: String

    /// The part that is wanted; nil for the whole.
    package let range: FetchRange?

    /// Whether only the head is asked for.
    package let isHead: Bool

    /// Further request headers, in order.
    package var headers: [(name: String, value: String)]

    /// How long without a byte until the request fails.
    package let patience: Duration

    /// The most bytes that the body may have; more fails the request.
    package let limit: Int

    /// Whether parts of the body may be handed on together and later than they came, as nobody asks about the request
    /// before ``patience`` is over but with something else that happens.
    package var mayBeGathered = false

    /// Which of the connections to its host it may take: those of requests that say the same, or a new one.
    package var lane = ""

    /// Whether the connection that it takes serves no other request after it.
    package var keepsConnection = false

    /// Whether nothing of the answer is read until ``Fetching/read(_:at:)`` has it read.
    package var isUnread = false

    /// When it came to the server, in virtual time; nil in real time.
    package var cameAt: Instant?

    /// The method where it is neither GET nor HEAD; nil otherwise.
    package var method: String?

    /// What is sent with it; nil for nothing.
    package var body: [UInt8]?

    /// Whether a redirect is followed, with all ``headers``; else it is the answer.
    package var followsRedirects = true

    /// Who asks; nil for anybody.
    package var credential: FetchCredential?

    /// How long connecting may take; nil for as long as ``patience``.
    package var connectPatience: Duration?

    /// How long all of it may take; nil for as long as bytes come.
    package var wholePatience: Duration?

    /// The header that tells a server the virtual time of a request, in seconds.
    package static let timeHeader = "Segue-Time"

    /// The same request, which tells the server when it came to it in virtual time; unchanged in real time.
    package var tellingTime: FetchRequest {
        guard let cameAt else { return self }
        var request = self
        request.headers.append((Self.timeHeader, DecimalText.fixed(cameAt.seconds, places: 3)))
        return request
    }

    /// A GET of a URL, or a HEAD.
    package init(
        id: FetchID,
        url: String,
        range: FetchRange? = nil,
        isHead: Bool = false,
        headers: [(name: String, value: String)] = [],
        patience: Duration = .seconds(30),
        limit: Int = 256 << 20
    ) {
        self.id = id
        self.url = url
        self.range = range
        self.isHead = isHead
        self.headers = headers
        self.patience = patience
        self.limit = limit
    }
}

/// The head of a response.
package struct FetchResponse: Sendable {
    /// The HTTP status; 0 where ``failure`` came before the head.
    package let status: Int

    /// Header fields, names in lower case.
    package let headers: [(name: String, value: String)]

    /// Where the response came from after redirects.
    package let url: String

    /// The server's address as `host:port`; empty when unknown.
    package let serverAddress: String

    /// Whether the connection ends with this answer, so that another request takes another one.
    package let isLast: Bool

    /// Why the transfer ended behind the bytes that came; nil where the answer is whole.
    ///
    /// Known of answers that are held whole; failures of transfers under way are events of their own.
    package let failure: FetchError?

    /// How long the server took for the first byte of its answer, as virtual time is to have it; nil where the run says
    /// how long servers take.
    package let serverTime: Duration?

    /// The version of HTTP, such as `1.1` or `2`; empty where it is not known.
    package let version: String

    /// How many bits a second the server itself sends of the body, as virtual time is to have it; nil for one that is
    /// faster than any network.
    package let serverRate: Int?

    /// The head of a response.
    package init(
        status: Int,
        headers: [(name: String, value: String)],
        url: String,
        serverAddress: String,
        isLast: Bool = false,
        failure: FetchError? = nil,
        serverTime: Duration? = nil,
        serverRate: Int? = nil,
        version: String = ""
    ) {
        self.status = status
        self.headers = headers
        self.url = url
        self.serverAddress = serverAddress
        self.isLast = isLast
        self.failure = failure
        (self.serverTime, self.serverRate, self.version) = (serverTime, serverRate, version)
    }
}

/// Why a request failed without a whole response.
public struct FetchError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public enum Reason: String, Sendable, CaseIterable {
        /// The URL is none of HTTP.
        case badURL
        /// No address is known for the host.
        case cannotResolve
        /// Nobody takes the connection.
        case cannotConnect
        /// There is no TLS with the server, or its certificate is not trusted.
        case untrusted
        /// The connection ended before all had come.
        case connectionLost
        /// It took longer than it may.
        case timedOut
        /// There is more than the answer may have.
        case tooLarge
        /// The answer is shorter than its head says, or ends within its head.
        case truncated
        /// One redirect led to the next too often.
        case tooManyRedirects
        /// Something else.
        case other
    }

    /// The kind of failure.
    public let reason: Reason

    /// One line that says what, where and why.
    public let description: String

    /// A failure.
    ///
    /// - Parameters:
    ///   - reason: The kind of failure.
    ///   - description: One line that says what, where and why.
    public init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}

/// What becomes of a request: a response, any number of data, then finished or failed; or failed alone.
///
/// After a cancel nothing is added; what was in the loop's queue by then still comes, and is to be ignored.
package enum FetchEvent: Sendable {
    /// The head has come.
    case response(FetchID, FetchResponse)
    /// Some bytes of the body have come.
    case data(FetchID, FetchBytes)
    /// The whole body has come.
    case finished(FetchID)
    /// It failed.
    case failed(FetchID, FetchError)

    /// The request that this is about.
    package var id: FetchID {
        switch self {
        case .response(let id, _), .data(let id, _), .finished(let id), .failed(let id, _): id
        }
    }
}

/// Carries out requests and delivers what becomes of them through the run's event loop.
package protocol Fetching: AnyObject {
    /// Begins a request.
    func start(_ request: FetchRequest, at now: Instant)

    /// Ends a request; nothing is delivered for it that is not in the loop's queue already.
    func cancel(_ id: FetchID, at now: Instant)

    /// Has the answer of a request read that was not to be.
    func read(_ id: FetchID, at now: Instant)

    /// Has nothing more of an answer read until ``read(_:at:)`` has it read again.
    func stopReading(_ id: FetchID, at now: Instant)
}

extension Fetching {
    /// Nothing: whatever comes is read as it comes.
    package func read(_ id: FetchID, at now: Instant) {}

    /// Nothing: whatever comes is read as it comes.
    package func stopReading(_ id: FetchID, at now: Instant) {}
}
