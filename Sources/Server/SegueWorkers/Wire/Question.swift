import SegueOrigin
import SeguePackager

/// What a worker is asked to do with a file.
struct Question: Codable, Sendable {
    /// What it is.
    enum Kind: String, Codable, Sendable {
        case open, look, artwork, play
        case copied, sounds, keyframes, description, extent, isEncoded, initSegment, segment, parts
        case subtitles, sideSubtitles
    }

    /// How many bytes are handed over at the most of where a file's packets lie: some millions of packets.
    static let mostCopied = 64 << 20

    /// What is to be done.
    var kind: Kind
    /// The file, as the server knows it.
    var file: FileIdentity
    /// Whom it is opened for.
    var device = DeviceProfile.any
    /// The container that it is opened for; nil for the one that fits best.
    var opening: SegmentContainer?
    /// What of it.
    var rendition: Rendition?
    /// How segments are packed.
    var container: SegmentContainer?
    /// The number of a segment.
    var number: Int?
    /// The longest that a part may be, in microseconds.
    var target: Int64?
    /// The number of a stream.
    var stream: Int?
    /// How the sound is coded that is played.
    var radio: RadioFormat?
    /// Which picture of it.
    var artwork: ArtworkWish?
    /// A file beside it.
    var side: FileIdentity?

    /// A question about a file.
    init(_ kind: Kind, _ file: FileIdentity) { (self.kind, self.file) = (kind, file) }

    /// What is being done, for a sentence that begins with "while".
    var words: String {
        switch kind {
        case .open: "it was opened"
        case .look: "it was looked into"
        case .play: "it was played"
        case .artwork: "its cover art was read"
        case .copied: "its packets were listed"
        case .sounds: "its tracks of sound were looked into"
        case .keyframes: "its pictures for searching were listed"
        case .description, .extent, .isEncoded: "its rendition \(rendition?.rawValue ?? "") was described"
        case .initSegment: "the init segment of \(rendition?.rawValue ?? "") was made"
        case .segment: "segment \(number ?? 0) of \(rendition?.rawValue ?? "") was made"
        case .parts: "it was cut into parts"
        case .subtitles, .sideSubtitles: "its subtitles were read"
        }
    }

    /// Which opened file it needs; workers that have it open answer sooner.
    var opened: String { "\(file.tag) \(device.name) \(opening?.rawValue ?? "") \(file.path)" }
}
