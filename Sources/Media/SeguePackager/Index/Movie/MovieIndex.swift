internal import Foundation
internal import SegueConcurrency
internal import SegueContainers
internal import SegueFFmpeg

/// A check for MP4 and QuickTime movies with a complete index in the movie box.
///
/// Such a file is indexed without reading its content. Fragmented movies are not, because their index is spread over
/// the file.
enum MovieIndex {
    /// The codecs whose packets the demuxer returns as indexed, without parsing.
    private static let plainCodecs: Set = ["h264", "hevc", "aac", "alac"]

    /// True if the top-level boxes are those of an unfragmented movie.
    static func isComplete(path: String) -> Bool {
        guard let file = ReadableFile.handle(path) else { return false }
        defer { try? file.close() }
        guard let size = try? file.seekToEnd() else { return false }
        var place: UInt64 = 0
        var hasMovie = false
        for _ in 0..<64 {
            guard place + UInt64(BoxHead.shortLength) <= size else { return hasMovie && place == size }
            guard (try? file.seek(toOffset: place)) != nil, let bytes = try? file.read(upToCount: BoxHead.longLength),
                let head = BoxHead([UInt8](bytes)[...]), known.contains(head.type)
            else { return false }
            if head.type == "moov" { hasMovie = true }
            guard let length = head.size.map(UInt64.init) else { return hasMovie }
            guard length <= size - place else { return false }
            place += length
        }
        return false
    }

    /// True if the file is MP4 or QuickTime and has no movie box yet.
    static func isMissing(path: String) -> Bool { TopLevelBoxes(path: path)?.lacksIndex ?? false }

    /// The number of checked keyframes.
    private static let checkedKeys = 48

    /// Checks a sample of declared keyframes across the file; returns the bytes read, or nil if one is not a keyframe.
    static func checkKeys(of index: FileIndex, path: String) -> Int64? {
        let films = index.streams.values.filter { $0.info.kind == .video }
        guard !films.isEmpty else { return 0 }
        guard let file = FileBytes(path: path, isInOrder: false) else { return nil }
        for film in films {
            guard let reader = KeyFrame(film.info) else { continue }
            let keys = film.packets.keyPlaces
            let step = max(1, keys.count / checkedKeys)
            for place in stride(from: 0, to: keys.count, by: step) {
                let packet = film.packets[keys[place]]
                let kind = reader.kind(size: Int(packet.size)) {
                    $0 < Int(packet.size) ? file.byte(at: packet.position + Int64($0)) : nil
                }
                guard kind?.isNoKey != true else { return nil }
            }
        }
        return file.bytesRead
    }

    private static let known: Set<FourCC> = [
        "ftyp", "moov", "mdat", "free", "skip", "wide", "uuid", "meta", "pdin", "udta", "beam",
    ]

    /// True if the demuxer's index has every packet of every indexed stream.
    static func isTrustworthy(_ input: MediaInput) -> Bool {
        let streams = input.streams.filter { ($0.kind == .audio || $0.kind == .video) && !$0.isAttachedPicture }
        return !streams.isEmpty && streams.allSatisfy { plainCodecs.contains($0.codec) }
    }
}
