import Packager

/// What a path leads to.
enum Route: Sendable, Equatable {
    /// One kind of thing below `/items/ID/`.
    enum Part: Sendable, Equatable {
        case multivariantPlaylist
        case mediaPlaylist
        case initSegment(tag: String, device: String?, Rendition)
        case segment(tag: String, device: String?, Int, Rendition, SegmentContainer)
        case whole(tag: String, device: String?, Rendition, SegmentContainer)
        case subtitles(tag: String, device: String?, Int, stream: Int, SegmentContainer)
        case side(tag: String, device: String?, Int, side: String, SegmentContainer)
        case original
        case artwork
    }

    case page
    case items
    case item(id: String)
    case part(Part, id: String)
    case radio
    case health
    case metrics

    /// The route of a path's components; nil where there is nothing.
    init?(_ components: [String]) {
        switch components.count {
        case 0: self = .page
        case 1 where components[0] == "health": self = .health
        case 1 where components[0] == "radio": self = .radio
        case 1 where components[0] == "metrics": self = .metrics
        case 2 where components == ["api", "items"]: self = .items
        case 3 where components.starts(with: ["api", "items"]): self = .item(id: components[2])
        case 3 where components[0] == "items":
            guard let part = Self.part(components[2]) else { return nil }
            self = .part(part, id: components[1])
        case 5 where components[0] == "items":
            guard let part = Self.piece(components[2], nil, components[3], components[4]) else { return nil }
            self = .part(part, id: components[1])
        case 6 where components[0] == "items":
            guard let part = Self.piece(components[2], components[3], components[4], components[5]) else { return nil }
            self = .part(part, id: components[1])
        default: return nil
        }
    }

    private static func part(_ name: String) -> Part? {
        switch name {
        case "master.m3u8": .multivariantPlaylist
        case "index.m3u8": .mediaPlaylist
        case "original": .original
        case "artwork.jpg": .artwork
        default: nil
        }
    }

    private static func piece(_ tag: String, _ device: String?, _ folder: String, _ file: String) -> Part? {
        let words = folder.split(separator: ".", omittingEmptySubsequences: false)
        if words.count == 2, let stream = Self.number(words[0], after: Self.subtitlesPrefix) {
            guard let container = SegmentContainer(rawValue: String(words[1])),
                let number = Self.number(file[...], before: ".vtt")
            else { return nil }
            return .subtitles(tag: tag, device: device, number, stream: stream, container)
        }
        if words.count == 2, words[0].hasPrefix(Self.sidePrefix) {
            guard let container = SegmentContainer(rawValue: String(words[1])),
                let number = Self.number(file[...], before: ".vtt")
            else { return nil }
            let side = String(words[0].dropFirst(Self.sidePrefix.count))
            return .side(tag: tag, device: device, number, side: side, container)
        }
        guard words.count == 2, let rendition = Rendition(rawValue: String(words[0])),
            let container = SegmentContainer(rawValue: String(words[1]))
        else { return nil }
        if container == .fmp4, file == "init.mp4" { return .initSegment(tag: tag, device: device, rendition) }
        if file == container.wholeName { return .whole(tag: tag, device: device, rendition, container) }
        let suffix = "." + container.segmentExtension
        guard let number = Self.number(file[...], before: suffix) else { return nil }
        return .segment(tag: tag, device: device, number, rendition, container)
    }

    private static let subtitlesPrefix = "subtitles-"
    private static let sidePrefix = "side-"

    /// The whole number between two texts, written as this server writes it; nil for anything else.
    private static func number(_ text: Substring, after prefix: String = "", before suffix: String = "") -> Int? {
        guard text.hasPrefix(prefix), text.hasSuffix(suffix),
            let number = Int(text.dropFirst(prefix.count).dropLast(suffix.count)), number >= 0,
            text == "\(prefix)\(number)\(suffix)"
        else { return nil }
        return number
    }

    /// The folder of the segments of a stream of subtitles, cut as for a container, relative to its playlist.
    static func folder(
        tag: String,
        _ device: DeviceProfile,
        subtitles stream: Int,
        _ container: SegmentContainer
    ) -> String {
        folder(tag: tag, device, named: "\(subtitlesPrefix)\(stream)", container)
    }

    /// The folder of the segments of a file of subtitles, cut as for a container, relative to its playlist.
    static func folder(
        tag: String,
        _ device: DeviceProfile,
        side: String,
        _ container: SegmentContainer
    ) -> String {
        folder(tag: tag, device, named: "\(sidePrefix)\(side)", container)
    }

    /// The folder of a rendition's pieces, relative to its playlists; a device that is named has one of its own.
    static func folder(
        tag: String,
        _ device: DeviceProfile,
        _ rendition: Rendition,
        _ container: SegmentContainer
    ) -> String {
        folder(tag: tag, device, named: rendition.rawValue, container)
    }

    private static func folder(
        tag: String,
        _ device: DeviceProfile,
        named name: String,
        _ container: SegmentContainer
    ) -> String {
        let folder = "\(name).\(container.rawValue)"
        return device == .any ? "\(tag)/\(folder)" : "\(tag)/\(device.name)/\(folder)"
    }
}

extension SegmentContainer {
    /// The name of all segments as one resource.
    var wholeName: String {
        switch self {
        case .ts: "whole.ts"
        case .fmp4: "whole.mp4"
        }
    }

    /// The extension of segments' names.
    var segmentExtension: String {
        switch self {
        case .ts: "ts"
        case .fmp4: "m4s"
        }
    }
}
