import Foundation

/// The boxes of a small MP4 file, for files that no muxer writes.
///
/// Sizes are those of the content; positions of samples are not adjusted, so media data must come before the movie box.
struct MovieBoxes {
    /// A box with its content: bytes, or other boxes.
    struct Box {
        var type: String
        var content: [UInt8] = []
        var inner: [Box]?

        var bytes: [UInt8] {
            let content = inner?.flatMap(\.bytes) ?? content
            return MovieBoxes.word(content.count + 8) + Array(type.utf8) + content
        }

        /// The first inner box at a path of types.
        subscript(path: String...) -> Box? { path.reduce(self) { box, type in box?.inner?.first { $0.type == type } } }

        /// Changes the first inner box of a type.
        mutating func change(_ type: String, _ body: (inout Box) throws -> Void) rethrows {
            guard let place = inner?.firstIndex(where: { $0.type == type }) else { return }
            try body(&inner![place])
        }

        /// The 32-bit number at a place in the content.
        func number(at place: Int) -> Int { content[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }

        /// The numbers of a table behind its count.
        func table(from start: Int = 4) -> [Int] {
            stride(from: start + 4, to: content.count, by: 4).map { number(at: $0) }
        }
    }

    var boxes: [Box]

    private static let containers: Set = ["moov", "trak", "mdia", "minf", "stbl", "edts"]

    init(_ bytes: [UInt8]) { boxes = Self.parse(bytes[...]) }

    var bytes: [UInt8] { boxes.flatMap(\.bytes) }

    var movie: Box? { boxes.first { $0.type == "moov" } }

    /// Changes each track of the movie.
    mutating func changeTracks(_ body: (inout Box) throws -> Void) rethrows {
        guard let place = boxes.firstIndex(where: { $0.type == "moov" }), var inner = boxes[place].inner else { return }
        for track in inner.indices where inner[track].type == "trak" { try body(&inner[track]) }
        boxes[place].inner = inner
    }

    private static func parse(_ bytes: ArraySlice<UInt8>) -> [Box] {
        var (result, rest) = ([Box](), bytes)
        while rest.count >= 8 {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard (8...rest.count).contains(size) else { break }
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            let content = rest.prefix(size).dropFirst(8)
            let inner = containers.contains(type) ? parse(content) : nil
            result.append(Box(type: type, content: inner == nil ? Array(content) : [], inner: inner))
            rest = rest.dropFirst(size)
        }
        return result
    }

    static func word(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { [UInt8]($0) }
    }

    /// A box with a version and a table of 32-bit numbers behind `head`.
    static func table(_ type: String, head: [Int], _ numbers: [Int]) -> Box {
        Box(type: type, content: word(0) + (head + numbers).flatMap(word))
    }
}

extension MovieBoxes {
    /// An edit: its duration in seconds, and its start in the media in seconds, or nil for a pause.
    typealias Edit = (seconds: Double, start: Double?)

    /// Replaces the edit lists of the tracks with these handlers.
    mutating func edit(_ edits: [Edit], handlers: Set<String> = ["vide", "soun"]) {
        let movieScale = movie?["mvhd"]?.number(at: 12) ?? 1000
        changeTracks { track in
            guard let handler = track["mdia", "hdlr"], let scale = track["mdia", "mdhd"]?.number(at: 12),
                handlers.contains(String(decoding: handler.content[8..<12], as: UTF8.self))
            else { return }
            // The composition offset of the first frame, or the encoder delay.
            let first = track["edts", "elst"].map { $0.number(at: $0.content.count - 8) } ?? 0
            let entries = edits.flatMap { edit in
                [
                    Int(edit.seconds * Double(movieScale)), edit.start.map { first + Int($0 * Double(scale)) } ?? -1,
                    1 << 16,
                ]
            }
            let list = MovieBoxes.table("elst", head: [edits.count], entries)
            track.inner?.removeAll { $0.type == "edts" }
            track.inner?.insert(Box(type: "edts", inner: [list]), at: 1)
        }
    }

    /// Appends the samples of another movie's only track to the only one of this, with a sample entry of their own.
    mutating func append(_ other: MovieBoxes) {
        guard let mine = boxes.first(where: { $0.type == "mdat" })?.content,
            let theirs = other.boxes.first(where: { $0.type == "mdat" })?.content,
            let added = other.movie?["trak", "mdia", "minf", "stbl"]
        else { return }
        let start = boxes.prefix { $0.type != "mdat" }.reduce(8) { $0 + $1.bytes.count }
        boxes = boxes.map { $0.type == "mdat" ? Box(type: "mdat", content: mine + theirs) : $0 }
        var length = 0
        changeTracks { track in
            track.change("mdia") { media in
                media.change("minf") { information in
                    information.change("stbl") { tables in
                        length = Self.join(&tables, added, at: (start, start + mine.count))
                    }
                }
                media.change("mdhd") { $0.content.replaceSubrange(16..<20, with: Self.word(length)) }
            }
            track.inner?.removeAll { $0.type == "edts" }
        }
    }

    /// Joins sample tables; returns the duration in track units.
    private static func join(_ tables: inout Box, _ added: Box, at starts: (Int, Int)) -> Int {
        let rows = { (box: Box, type: String, from: Int) in box[type]?.table(from: from) ?? [] }
        let sizes = (rows(tables, "stsz", 8), rows(added, "stsz", 8))
        let durations = rows(tables, "stts", 4) + rows(added, "stts", 4)
        let keys = rows(tables, "stss", 4) + rows(added, "stss", 4).map { $0 + sizes.0.count }
        let descriptions = (tables["stsd"]?.content.dropFirst(8) ?? []) + (added["stsd"]?.content.dropFirst(8) ?? [])
        tables.inner = [
            Box(type: "stsd", content: word(0) + word(2) + descriptions),
            table("stts", head: [durations.count / 2], durations),
            table("stss", head: [keys.count], keys),
            table("stsc", head: [2], [1, sizes.0.count, 1, 2, sizes.1.count, 2]),
            table("stsz", head: [0, sizes.0.count + sizes.1.count], sizes.0 + sizes.1),
            table("stco", head: [2], [starts.0, starts.1]),
        ]
        return stride(from: 0, to: durations.count, by: 2).reduce(0) { $0 + durations[$1] * durations[$1 + 1] }
    }
}
