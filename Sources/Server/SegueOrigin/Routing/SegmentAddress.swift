import SeguePackager

/// Where a piece of an item lies: `/items/ID/TAG[/DEVICE]/NAME.CONTAINER/FILE`, of which this is all behind the id.
///
/// It is relative to the item's playlists, which name their pieces by it.
struct SegmentAddress: Hashable, Sendable {
    /// What of the item lies there.
    enum Piece: Hashable, Sendable {
        /// `RENDITION.fmp4/init.mp4`.
        case initSegment(Rendition)
        /// `RENDITION.ts/NUMBER.ts`, `RENDITION.fmp4/NUMBER.m4s`.
        case segment(Int, Rendition)
        /// All of a rendition as one resource: `RENDITION.ts/whole.ts`, `RENDITION.fmp4/whole.mp4`.
        case whole(Rendition)
        /// `subtitles-STREAM.CONTAINER/NUMBER.vtt`, `side-TAG.CONTAINER/NUMBER.vtt`.
        case subtitles(Int, SubtitlesSource)
    }

    /// The version of the item's file (``FileIdentity/tag``).
    var tag: String
    /// The name of the device that it is made for; nil for any.
    var device: String?
    /// How the item is cut and packed.
    var container: SegmentContainer
    /// What of the item.
    var piece: Piece

    /// The address of a piece of a presentation, as a device is given it.
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

    /// The address that a path's components are; nil where they are none.
    ///
    /// - Parameter components: Those behind the item's id.
    init?(_ components: ArraySlice<String>) {
        guard (3...4).contains(components.count), let tag = components.first, let file = components.last else {
            return nil
        }
        let (folders, name) = (components.dropFirst().dropLast(), components.dropLast().last ?? "")
        let words = name.split(separator: ".", omittingEmptySubsequences: false)
        guard words.count == 2, let container = SegmentContainer(rawValue: String(words[1])),
            let piece = Self.piece(words[0], container, file)
        else { return nil }
        self.tag = tag
        device = folders.count == 2 ? folders.first : nil
        self.container = container
        self.piece = piece
    }

    private static func piece(_ name: Substring, _ container: SegmentContainer, _ file: String) -> Piece? {
        if let source = SubtitlesSource(name: name) {
            return Int(written: file[...], before: wordsEnding).map { .subtitles($0, source) }
        }
        guard let rendition = Rendition(rawValue: String(name)) else { return nil }
        if container == .fmp4, file == initName { return .initSegment(rendition) }
        if file == container.wholeName { return .whole(rendition) }
        return Int(written: file[...], before: container.segmentEnding).map { .segment($0, rendition) }
    }

    /// The address as it stands in URLs.
    var path: String {
        let file =
            switch piece {
            case .initSegment: Self.initName
            case .whole: container.wholeName
            case .segment(let number, _), .subtitles(let number, _): "\(number)\(ending)"
            }
        return folder + file
    }

    /// The addresses of the segments in the same folder, by number, as they stand in URLs.
    ///
    /// A playlist has thousands of them: what all have in common is written once.
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

    /// What the names of segments in the folder end with.
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
    /// The name of all segments as one resource.
    fileprivate var wholeName: String {
        switch self {
        case .ts: "whole.ts"
        case .fmp4: "whole.mp4"
        }
    }

    /// What segments' names end with.
    fileprivate var segmentEnding: String {
        switch self {
        case .ts: ".ts"
        case .fmp4: ".m4s"
        }
    }
}
