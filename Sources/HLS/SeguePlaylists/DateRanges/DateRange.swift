public import SegueBase

/// A stretch of time with what is said of it (`EXT-X-DATERANGE`; RFC 8216, 4.3.2.7; RFC 8216bis, 4.4.5.1).
public struct DateRange: Sendable, Equatable {
    /// The value of an attribute that a client defines, as written.
    public enum Value: Sendable, Hashable {
        /// A quoted string.
        case string(String)
        /// A hexadecimal sequence, `0x…`.
        case hexadecimal(String)
        /// A decimal number, perhaps below zero.
        case number(String)
    }

    /// What names it in the playlist.
    public var id: String

    /// What it is, such as `com.apple.hls.interstitial`; nil when not given.
    public var classID: String?

    /// When it begins, as written (ISO 8601); nil only in a delta update, where an earlier tag that was left out has it.
    public var startDate: String?

    /// When to act on it besides its beginning: `PRE`, `POST`, `ONCE`; empty when not given.
    public var cues: [String]

    /// When it ends, as written; nil when not given.
    public var endDate: String?

    /// How long it is, in seconds; nil when not given.
    public var duration: Rational?

    /// How long it is expected to be, in seconds; nil when not given.
    public var plannedDuration: Rational?

    /// Whether it ends where the next of its class begins.
    public var endsOnNext: Bool

    /// The splice command as written (`SCTE35-CMD`, `0x…`); nil when not given.
    public var scte35Command: String?

    /// The splice that leaves the programme, as written (`SCTE35-OUT`); nil when not given.
    public var scte35Out: String?

    /// The splice that comes back to the programme, as written (`SCTE35-IN`); nil when not given.
    public var scte35In: String?

    /// The attributes whose names begin with `X-`, by their whole names.
    public var clientAttributes: [String: Value]

    /// The media sequence number of the segment before which its first tag stands; nil for before all of them.
    ///
    /// It means nothing, and is kept so that a live playlist that is written again keeps its lines in their order.
    public var position: Int?

    /// A date range.
    ///
    /// - Parameters:
    ///   - id: What names it in the playlist.
    ///   - classID: What it is, such as `com.apple.hls.interstitial`; nil when not given.
    ///   - startDate: When it begins, as written (ISO 8601); nil only in a delta update, where an earlier tag that was
    ///     left out has it.
    ///   - cues: When to act on it besides its beginning: `PRE`, `POST`, `ONCE`; empty when not given.
    ///   - endDate: When it ends, as written; nil when not given.
    ///   - duration: How long it is, in seconds; nil when not given.
    ///   - plannedDuration: How long it is expected to be, in seconds; nil when not given.
    ///   - endsOnNext: Whether it ends where the next of its class begins.
    ///   - scte35Command: The splice command as written (`SCTE35-CMD`, `0x…`); nil when not given.
    ///   - scte35Out: The splice that leaves the programme, as written (`SCTE35-OUT`); nil when not given.
    ///   - scte35In: The splice that comes back to the programme, as written (`SCTE35-IN`); nil when not given.
    ///   - clientAttributes: The attributes whose names begin with `X-`, by their whole names.
    ///   - position: The media sequence number of the segment before which its first tag stands; nil for before all of
    ///     them. It means nothing, and is kept so that a live playlist that is written again keeps its lines in their
    ///     order.
    public init(
        id: String,
        classID: String? = nil,
        startDate: String?,
        cues: [String] = [],
        endDate: String? = nil,
        duration: Rational? = nil,
        plannedDuration: Rational? = nil,
        endsOnNext: Bool = false,
        scte35Command: String? = nil,
        scte35Out: String? = nil,
        scte35In: String? = nil,
        clientAttributes: [String: Value] = [:],
        position: Int? = nil
    ) {
        self.id = id
        self.classID = classID
        self.startDate = startDate
        self.cues = cues
        self.endDate = endDate
        self.duration = duration
        self.plannedDuration = plannedDuration
        self.endsOnNext = endsOnNext
        self.scte35Command = scte35Command
        self.scte35Out = scte35Out
        self.scte35In = scte35In
        self.clientAttributes = clientAttributes
        self.position = position
    }

    /// Takes in what another tag of the same ID says; what both say stays as it is here.
    package mutating func add(_ other: DateRange) {
        classID = classID ?? other.classID
        startDate = startDate ?? other.startDate
        if cues.isEmpty { cues = other.cues }
        endDate = endDate ?? other.endDate
        duration = duration ?? other.duration
        plannedDuration = plannedDuration ?? other.plannedDuration
        endsOnNext = endsOnNext || other.endsOnNext
        scte35Command = scte35Command ?? other.scte35Command
        scte35Out = scte35Out ?? other.scte35Out
        scte35In = scte35In ?? other.scte35In
        clientAttributes.merge(other.clientAttributes) { own, _ in own }
    }
}
