internal import SegueBase

/// A subtitle cue.
struct Cue: Sendable, Hashable {
    /// The start, in seconds from the plan's start.
    var start: Rational
    /// The end, in seconds from the plan's start.
    var end: Rational
    /// The WebVTT text: escaped, with supported tags, without empty lines.
    var text: String
    /// The WebVTT cue settings; empty for the defaults.
    var settings = ""
}

/// The cues of a subtitle stream or file.
struct CueSheet: Sendable, Hashable {
    /// The cues, sorted by start.
    var cues: [Cue] = []
    /// The STYLE and REGION blocks of a WebVTT file, without empty lines.
    var blocks: [String] = []
}
