internal import SegueNetworkModel

/// A fault of requests, in the network or at the server.
public struct Fault: Sendable {
    /// The purpose of a request, according to its URL.
    public enum Kind: String, Sendable {
        /// An HLS playlist.
        case playlist
        /// A media segment, or a part of one.
        case segment
        /// The initialization section of fragmented MP4.
        case initialization
        /// An AES-128 key.
        case key
        /// Subtitles.
        case subtitles
        /// Anything else.
        case other
    }

    private var fault: RequestFault

    private init(_ effect: RequestFault.Effect) { fault = RequestFault(effect: effect) }

    /// A response with a status and without a body.
    ///
    /// - Parameter status: The HTTP status, limited to 100 through 599.
    /// - Returns: The fault.
    public static func status(_ status: Int) -> Fault { Fault(.status(min(max(100, status), 599))) }

    /// A reset of the connection during the body.
    ///
    /// - Parameter bytes: The number of bytes of the body before the reset, from 0.
    /// - Returns: The fault.
    public static func reset(after bytes: Int = 0) -> Fault { Fault(.reset(after: max(0, bytes))) }

    /// A pause of the body.
    ///
    /// - Parameters:
    ///   - length: The duration of the pause, from zero.
    ///   - bytes: The number of bytes of the body before the pause, from 0.
    /// - Returns: The fault.
    public static func stall(for length: Duration, after bytes: Int = 0) -> Fault {
        Fault(.stall(after: max(0, bytes), length: max(.zero, length)))
    }

    /// A close of the connection during the body, as if it ended there.
    ///
    /// - Parameter bytes: The number of bytes of the body before the close, from 0.
    /// - Returns: The fault.
    public static func truncation(after bytes: Int) -> Fault { Fault(.truncation(after: max(0, bytes))) }

    /// A redirect to the page of a captive portal.
    public static let portal = Fault(.portal)

    /// The same fault for some requests only.
    ///
    /// - Parameters:
    ///   - path: A pattern for paths with queries, in which `*` matches any characters and `?` one; nil for all.
    ///   - kind: The purpose of the requests; nil for any.
    ///   - first: The first matching request to affect, from 1.
    ///   - count: The number of requests to affect; nil for all that follow.
    /// - Returns: The fault.
    public func meeting(path: String? = nil, kind: Kind? = nil, from first: Int = 1, count: Int? = nil) -> Fault {
        var copy = self
        copy.fault.url = path
        copy.fault.kinds = kind.flatMap { RequestFault.Kind(rawValue: $0.rawValue) }.map { [$0] } ?? []
        copy.fault.first = max(1, first)
        copy.fault.count = count.map { max(1, $0) }
        return copy
    }

    /// The same fault in the network model.
    var planted: RequestFault { fault }
}
