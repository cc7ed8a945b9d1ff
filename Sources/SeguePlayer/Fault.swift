internal import Link

/// Something that goes wrong with requests on the way, or at the server.
public struct Fault: Sendable {
    /// What a request is for, as far as its address tells.
    public enum Kind: String, Sendable {
        case playlist
        case segment
        case initialization
        case key
        case subtitles
        case other
    }

    private var fault: RequestFault

    private init(_ effect: RequestFault.Effect) { fault = RequestFault(effect: effect) }

    /// An answer with a status, from 100 to 599, and no body.
    public static func status(_ status: Int) -> Fault { Fault(.status(min(max(100, status), 599))) }

    /// The connection is reset after so many bytes of the body.
    public static func reset(after bytes: Int = 0) -> Fault { Fault(.reset(after: max(0, bytes))) }

    /// Nothing comes for a while after so many bytes of the body, then it goes on.
    public static func stall(for length: Duration, after bytes: Int = 0) -> Fault {
        Fault(.stall(after: max(0, bytes), length: max(.zero, length)))
    }

    /// The connection is closed after so many bytes of the body, as if it ended there.
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
