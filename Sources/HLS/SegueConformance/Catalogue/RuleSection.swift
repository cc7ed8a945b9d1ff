/// A part of the rule catalog, in the order of the documentation.
package enum RuleSection: String, Sendable, CaseIterable {
    case syntax = "Syntax"
    case mediaPlaylist = "Media playlist"
    case dateRanges = "Date ranges"
    case keys = "Keys and session data"
    case parts = "Parts"
    case multivariant = "Multivariant playlist"
    case renditions = "Across renditions"
    case segments = "Segments"
    case coding = "Coding"
    case timeline = "Timeline"
    case encryption = "Encryption"
    case transportStreams = "Transport streams"
    case fragmentedMP4 = "Fragmented MP4"
    case resources = "Resources and URIs"
    /// The rules on HTTP delivery, independent of the content; a validation can skip them.
    case delivery = "HTTP delivery"
    case live = "Live"
}
