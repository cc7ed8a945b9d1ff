public import SegueBase

/// A time range with attributes (`EXT-X-DATERANGE`; RFC 8216, 4.3.2.7; rfc8216bis, 4.4.5.1).
public struct DateRange: Sendable, Equatable {
    /// The value of a client-defined attribute, as written.
    public enum Value: Sendable, Hashable {
        /// A quoted string.
        case string(String)
        /// A hexadecimal sequence, `0x…`.
        case hexadecimal(String)
        /// A signed decimal number.
        case number(String)
    }

    /// The unique ID in the playlist.
    public var id: String

    /// The class, such as `com.apple.hls.interstitial`; nil if not given.
    public var classID: String?

    /// The start date as written (ISO 8601); nil only in a delta update that skips the first tag.
    public var startDate: String?

    /// The trigger points besides the start: `PRE`, `POST`, `ONCE`; empty if not given.
    public var cues: [String] = []

    /// The end date as written; nil if not given.
    public var endDate: String?

    /// The duration in seconds; nil if not given.
    public var duration: Rational?

    /// The expected duration in seconds; nil if not given.
    public var plannedDuration: Rational?

    /// True if the range ends at the start of the next one of its class.
    public var endsOnNext = false

    /// The splice command as written (`SCTE35-CMD`, `0x…`); nil if not given.
    public var scte35Command: String?

    /// The splice out of the program, as written (`SCTE35-OUT`); nil if not given.
    public var scte35Out: String?

    /// The splice back into the program, as written (`SCTE35-IN`); nil if not given.
    public var scte35In: String?

    /// The attributes with the prefix `X-`, by their full names.
    public var clientAttributes: [String: Value] = [:]

    /// The media sequence number of the segment after the first tag; nil for tags before all segments.
    ///
    /// It has no meaning, but keeps the order of lines when a live playlist is written again.
    public var position: Int?

    /// A date range; the other attributes are set as properties.
    ///
    /// - Parameters:
    ///   - id: The unique ID in the playlist.
    ///   - classID: The class, such as `com.apple.hls.interstitial`; nil if not given.
    ///   - startDate: The start date as written (ISO 8601); nil only in a delta update that skips the first tag.
    ///   - duration: The duration in seconds; nil if not given.
    public init(id: String, classID: String? = nil, startDate: String?, duration: Rational? = nil) {
        self.id = id
        self.classID = classID
        self.startDate = startDate
        self.duration = duration
    }

    /// Merges the attributes of another tag with the same ID; existing values win.
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
