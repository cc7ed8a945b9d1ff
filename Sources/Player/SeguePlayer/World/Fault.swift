internal import SegueNetworkModel

/// Something that goes wrong with requests on the way, or at the server.
public struct Fault: Sendable {
    /// What a request is for, as far as its address tells.
    public enum Kind: String, Sendable {
        /// A playlist of HLS.
        case playlist
        /// A media segment, or a part of one.
        case segment
        /// The initialization section of fragmented MP4.
        case initialization
        /// A key of AES-128.
        case key
        /// Subtitles.
        case subtitles
        /// Anything else.
        case other
    }

    private var fault: RequestFault

    private init(_ effect: RequestFault.Effect) { fault = RequestFault(effect: effect) }

    /// An answer with a status and no body.
    ///
    /// - Parameter status: The HTTP status, from 100 to 599; what lies beyond is taken as the nearest of them.
    /// - Returns: The fault.
    public static func status(_ status: Int) -> Fault { Fault(.status(min(max(100, status), 599))) }

    /// The connection is reset in the midst of the body.
    ///
    /// - Parameter bytes: After how many bytes of the body, from 0.
    /// - Returns: The fault.
    public static func reset(after bytes: Int = 0) -> Fault { Fault(.reset(after: max(0, bytes))) }

    /// Nothing comes for a while, then the body goes on.
    ///
    /// - Parameters:
    ///   - length: How long nothing comes, from zero.
    ///   - bytes: After how many bytes of the body, from 0.
    /// - Returns: The fault.
    public static func stall(for length: Duration, after bytes: Int = 0) -> Fault {
        Fault(.stall(after: max(0, bytes), length: max(.zero, length)))
    }

    /// The connection is closed in the midst of the body, as if it ended there.
    ///
    /// - Parameter bytes: After how many bytes of the body, from 0.
    /// - Returns: The fault.
    public static func truncation(after bytes: Int) -> Fault { Fault(.truncation(after: max(0, bytes))) }

    /// A captive portal answers, by a redirect to its page.
    public static let portal = Fault(.portal)

    /// The same, for some requests alone.
    ///
    /// - Parameters:
    ///   - path: The paths with queries that it meets: `*` stands for any letters, `?` for one; nil for all.
    ///   - kind: What they are for; nil for anything.
    ///   - first: Which of those is the first to be met, from 1.
    ///   - count: How many are met; nil for all that follow.
    /// - Returns: The fault.
    public func meeting(path: String? = nil, kind: Kind? = nil, from first: Int = 1, count: Int? = nil) -> Fault {
        var copy = self
        copy.fault.url = path
        copy.fault.kinds = kind.flatMap { RequestFault.Kind(rawValue: $0.rawValue) }.map { [$0] } ?? []
        copy.fault.first = max(1, first)
        copy.fault.count = count.map { max(1, $0) }
        return copy
    }

    /// The same as the network has it.
    var planted: RequestFault { fault }
}
