import SegueOrigin
import SeguePackager

/// A task of a worker on a file.
struct Question: Codable, Sendable {
    enum Kind: String, Codable, Sendable {
        case open, look, artwork, play
        case copied, audioTracks, keyframes, description, extent, isEncoded, initSegment, segment, parts
        case subtitles, sideSubtitles
    }

    /// The maximum size of a transferred packet index: some million packets.
    static let copiedLimit = 64 << 20

    var kind: Kind
    var file: FileIdentity
    var device = DeviceProfile.any
    /// The container for opening the file; nil for the one that fits best.
    var opening: SegmentContainer?
    var rendition: Rendition?
    var container: SegmentContainer?
    var number: Int?
    /// The maximum duration of a part in microseconds.
    var target: Int64?
    var stream: Int?
    /// The audio coding of a station.
    var radio: RadioFormat?
    var artwork: ArtworkWish?
    /// A file next to it.
    var side: FileIdentity?

    init(_ kind: Kind, _ file: FileIdentity) { (self.kind, self.file) = (kind, file) }

    /// The task as a phrase after "while".
    var words: String {
        switch kind {
        case .open: "it was being opened"
        case .look: "it was being scanned"
        case .play: "it was being played"
        case .artwork: "its cover art was being read"
        case .copied: "its packets were being listed"
        case .audioTracks: "its audio tracks were being checked"
        case .keyframes: "its I-frames were being listed"
        case .description, .extent, .isEncoded: "its rendition \(rendition?.rawValue ?? "") was being described"
        case .initSegment: "the init segment of \(rendition?.rawValue ?? "") was being made"
        case .segment: "segment \(number ?? 0) of \(rendition?.rawValue ?? "") was being made"
        case .parts: "it was being divided into parts"
        case .subtitles, .sideSubtitles: "its subtitles were being read"
        }
    }

    /// The key of the opened file; a worker that has it open answers sooner.
    var opened: String { "\(file.tag) \(device.name) \(opening?.rawValue ?? "") \(file.path)" }
}
