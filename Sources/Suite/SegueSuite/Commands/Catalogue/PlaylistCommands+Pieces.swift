import SegueOrigin
import SeguePlaylists

extension PlaylistCommands {
    private var came: [Expectation] {
        [
            .status(200), .wholeLength, .strongTag, .header("Accept-Ranges", "bytes"), .hasHeader("Content-Type"),
            keptForEver,
        ]
    }

    /// The first and last segment of a playlist, and segments that do not exist.
    func pieces(of playlist: MediaPlaylist, _ target: String, video: Bool?, _ depth: Depth) -> [ServerCommand] {
        guard let first = playlist.segments.first, let last = playlist.segments.last else { return [] }
        // Parts of one resource are requested by byte range.
        if first.byteRange != nil { return [whole(from: first, to: last, of: target)] }
        let segments = depth == .first || first.uri == last.uri ? [first] : [first, last]
        let manners: HTTPFeatures? = depth == .manners ? [.tag, .parts, .constant] : nil
        let missing = depth == .manners ? self.missing(last, target) : []
        guard let map = first.map else {
            return segments.map { piece($0, of: target, video: video, after: nil, with: manners) } + missing
        }
        let initialization = ServerCommand(
            .initSegment,
            Self.fileName(map.uri),
            at: Self.resolve(map.uri, target),
            expect: came + [.media(video: video)]
        ).followed { answer in
            guard let found = try? SegmentInspector.inspect(answer.body) else { return [] }
            return segments.map { piece($0, of: target, video: video, after: found, with: manners) }
        }
        return [manners.map(initialization.with) ?? initialization] + missing
    }

    private func piece(
        _ segment: MediaSegment,
        of target: String,
        video: Bool?,
        after initialization: SegmentInspection?,
        with manners: HTTPFeatures?
    ) -> ServerCommand {
        let address = Self.resolve(segment.uri, target)
        let media = Expectation.media(video: segment.uri.hasSuffix(".vtt") ? nil : video, after: initialization)
        let route = Self.route(of: segment.uri)
        let piece = ServerCommand(route, Self.fileName(segment.uri), at: address, expect: came + [media]).followed {
            answer in
            guard manners != nil else { return [] }
            let same: [Expectation] = [.status(200), .body(answer.body, "the same bytes")]
            return [
                ServerCommand(route, "\(Self.fileName(segment.uri)), once more", at: address + "?again", expect: same)
            ]
        }
        return manners.map(piece.with) ?? piece
    }

    private func whole(from first: MediaSegment, to last: MediaSegment, of target: String) -> ServerCommand {
        let address = Self.resolve(first.uri, target)
        let end = last.byteRange.map { $0.offset + $0.length }
        return ServerCommand(
            .whole,
            Self.fileName(first.uri),
            at: address,
            expect: came + [
                .media(),
                Expectation("the length of its parts") { answer in
                    end.map { $0 == Int64(answer.body.count) } ?? false
                        ? nil
                        : "\(answer.body.count) bytes received, but the parts end at \(end.map(String.init) ?? "none")"
                },
            ]
        ).with([.tag, .parts, .constant])
    }

    /// The segment after the last one, segments of unknown versions, and the resources without a key.
    private func missing(_ last: MediaSegment, _ target: String) -> [ServerCommand] {
        var parts = Self.resolve(last.uri, target).split(separator: "/").map(String.init)
        guard let file = parts.last, let dot = file.lastIndex(of: "."), let number = Int(file[..<dot]), parts.count == 5
        else { return [] }
        let nothing: [Expectation] = [.status(404), .error(nil)]
        let route = Self.route(of: last.uri)
        parts[4] = "\(number + 1)\(file[dot...])"
        let behind = parts.joined(separator: "/")
        let uninvited = AccessCommands(facts: facts).uninvited(parts[1], tag: parts[2])
        parts[4] = "99999999999999999999\(file[dot...])"
        let far = parts.joined(separator: "/")
        (parts[2], parts[4]) = ("0000000000000000", file)
        return [
            ServerCommand(route, "after the last \(file[dot...]) of \(parts[3])", at: behind, expect: nothing),
            ServerCommand(route, "too large a number, in \(parts[3])", at: far, expect: nothing),
            ServerCommand(
                route,
                "of an unknown version, in \(parts[3])",
                at: parts.joined(separator: "/"),
                expect: nothing
            ),
        ] + uninvited
    }

    private static func route(of uri: String) -> RouteName { uri.hasSuffix(".vtt") ? .subtitles : .segment }

    private static func fileName(_ uri: String) -> String {
        uri.split(separator: "/").suffix(2).joined(separator: "/")
    }
}
