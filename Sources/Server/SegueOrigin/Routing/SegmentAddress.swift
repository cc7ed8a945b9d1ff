import SeguePackager

/// The path of a piece after its item's id: `TAG[/DEVICE]/NAME.CONTAINER/FILE`.
///
/// It is relative to the item's playlists, whose URIs it forms.
struct SegmentAddress: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        /// An address such as `RENDITION.fmp4/init.mp4`.
        case initSegment(Rendition)
        /// An address such as `RENDITION.ts/NUMBER.ts` or `RENDITION.fmp4/NUMBER.m4s`.
        case segment(Int, Rendition)
        /// A whole rendition as one resource: `RENDITION.ts/whole.ts`, `RENDITION.fmp4/whole.mp4`.
        case whole(Rendition)
        /// An address such as `subtitles-STREAM.CONTAINER/NUMBER.vtt` or `side-TAG.CONTAINER/NUMBER.vtt`.
        case subtitles(Int, SubtitlesSource)
    }

    /// The version of the item's file (``FileIdentity/tag``).
    var tag: String
    /// The name of the device; nil for any.
    var device: String?
    var container: SegmentContainer
    var piece: Piece

    /// The address of a piece of a presentation for a device.
    init(_ presentation: any Presenting, for device: DeviceProfile, in container: SegmentContainer, _ piece: Piece) {
        tag = presentation.identity.tag
        self.device = device == .any ? nil : device.name
        self.container = container
        self.piece = piece
    }

    /// The address of a rendition's init segment.
    init(initSegmentOf delivered: DeliveredRendition) {
        (tag, container, piece) = (delivered.identity.tag, delivered.container, .initSegment(delivered.rendition))
        device = delivered.device == .any ? nil : delivered.device.name
    }

    /// Parses an address; nil if it is malformed.
    ///
    /// - Parameter components: The path's components after the item's id.
    init?(_ components: ArraySlice<String>) {
        guard (3...4).contains(components.count), let tag = components.first, let file = components.last else {
            return nil
        }
        let (folders, name) = (components.dropFirst().dropLast(), components.dropLast().last ?? "")
        let words = name.split(separator: ".", omittingEmptySubsequences: false)
        guard words.count == 2, let container = SegmentContainer(rawValue: String(words[1])),
            let piece = Self.piece(words[0], container: container, file: file)
        else { return nil }
        self.tag = tag
        device = folders.count == 2 ? folders.first : nil
        self.container = container
        self.piece = piece
    }

    private static func piece(_ name: Substring, container: SegmentContainer, file: String) -> Piece? {
        if let source = SubtitlesSource(name: name) {
            return Int(written: file[...], before: wordsEnding).map { .subtitles($0, source) }
        }
        guard let rendition = Rendition(rawValue: String(name)) else { return nil }
        if container == .fmp4, file == initName { return .initSegment(rendition) }
        if file == container.wholeName { return .whole(rendition) }
        return Int(written: file[...], before: container.segmentEnding).map { .segment($0, rendition) }
    }

    /// The path in URLs.
    var path: String {
        let file =
            switch piece {
            case .initSegment: Self.initName
            case .whole: container.wholeName
            case .segment(let number, _), .subtitles(let number, _): "\(number)\(ending)"
            }
        return folder + file
    }

    /// Returns the paths of the segments in the same folder, by number.
    ///
    /// A playlist has thousands of them, so the common parts are formatted once.
    var segmentPaths: (_ number: Int) -> String {
        let (folder, ending) = (folder, ending)
        return { number in "\(folder)\(number)\(ending)" }
    }

    private var folder: String {
        let name =
            switch piece {
            case .initSegment(let rendition), .segment(_, let rendition), .whole(let rendition): rendition.rawValue
            case .subtitles(_, let source): source.name
            }
        return "\(tag)/\(device.map { $0 + "/" } ?? "")\(name).\(container.rawValue)/"
    }

    private var ending: String {
        switch piece {
        case .initSegment, .segment, .whole: container.segmentEnding
        case .subtitles: Self.wordsEnding
        }
    }

    private static let initName = "init.mp4"
    private static let wordsEnding = ".vtt"
}

extension SegmentContainer {
    fileprivate var wholeName: String {
        switch self {
        case .ts: "whole.ts"
        case .fmp4: "whole.mp4"
        }
    }

    fileprivate var segmentEnding: String {
        switch self {
        case .ts: ".ts"
        case .fmp4: ".m4s"
        }
    }
}
