internal import SegueBase
internal import SegueContainers

/// Walks the boxes of an MP4 or QuickTime file to the sample tables (ISO/IEC 14496-12).
struct MovieReader: Sendable {
    private enum Place: Sendable {
        /// At a top-level box.
        case box
        /// At the end of a fragmented file, where the position of its index is.
        case tail
        /// At the index of fragments (`mfra`).
        case index
        /// At the last fragment, which determines the duration.
        case last(FragmentIndex)
    }

    private var place = Place.box
    private var movie: MovieBox?

    /// Continues with the available bytes.
    mutating func step(_ bytes: ArraySlice<UInt8>, at origin: Int64, length: Int64?) -> LayoutReader.Answer {
        switch place {
        case .box: walk(bytes, at: origin, length: length)
        case .tail: readTail(bytes, length: length)
        case .index: readIndex(bytes, at: origin)
        case .last(let index): finish(index, bytes)
        }
    }

    private mutating func walk(_ bytes: ArraySlice<UInt8>, at origin: Int64, length: Int64?) -> LayoutReader.Answer {
        guard let box = BoxHead(bytes), box.size ?? 0 < BoxHead.farthest else {
            return bytes.count < BoxHead.longLength ? .more : .unusable("the boxes are malformed")
        }
        let next = box.size.map { origin + $0 }
        if let length, origin + 16 > length, movie == nil { return .unusable("the file has no movie box (moov)") }
        switch box.type {
        case "moov":
            guard let size = box.size, size <= LayoutReader.mostHeld else {
                return .unusable("the movie box is larger than the limit of \(LayoutReader.mostHeld) bytes")
            }
            guard bytes.count >= Int(size) else { return .more }
            guard let tables = MovieBox(bytes.prefix(Int(size)).dropFirst(box.length)) else {
                return .unusable("the movie box (moov) has no playable track")
            }
            guard tables.isFragmented else { return tables.layout }
            movie = tables
        case "sidx":
            guard let movie, let size = box.size, size <= LayoutReader.mostHeld else { break }
            guard bytes.count >= Int(size) else { return .more }
            let body = bytes.prefix(Int(size)).dropFirst(box.length)
            if let map = FragmentIndex.segmentIndex(body, end: origin + size) { return .found(movie.layout(map)) }
        case "moof", "mdat":
            guard movie != nil else { break }
            // A file of fragments without an index at its beginning may have one at its end.
            guard let length, length > 16 else {
                return .unusable("the fragmented file has no index (sidx) before the fragments")
            }
            place = .tail
            return .jump(length - 16)
        default: break
        }
        guard let next else { return .unusable("the file has no movie box (moov)") }
        if let length, next + 8 > length {
            return .unusable(movie == nil ? "the file has no movie box (moov)" : "the file has no fragments")
        }
        return .jump(next)
    }

    private mutating func readTail(_ bytes: ArraySlice<UInt8>, length: Int64?) -> LayoutReader.Answer {
        guard bytes.count >= 16, let length else { return .more }
        var reader = ByteReader(bytes)
        guard reader.skip(4), reader.code() == "mfro", reader.skip(4), let size = reader.integer(4), size > 16,
            Int64(size) < length
        else { return .unusable("the fragmented file has no index (sidx or mfra)") }
        place = .index
        return .jump(length - Int64(size))
    }

    private mutating func readIndex(_ bytes: ArraySlice<UInt8>, at origin: Int64) -> LayoutReader.Answer {
        guard let box = BoxHead(bytes), let size = box.size, let movie else { return .more }
        guard bytes.count >= Int(size) else { return .more }
        guard let index = FragmentIndex(randomAccess: bytes.prefix(Int(size)).dropFirst(box.length), movie, end: origin)
        else { return .unusable("the index of fragments (mfra) is malformed") }
        guard movie.duration == .zero else {
            return .found(movie.layout((index.map(until: movie.duration), movie.duration)))
        }
        place = .last(index)
        return .jump(index.last)
    }

    private func finish(_ index: FragmentIndex, _ bytes: ArraySlice<UInt8>) -> LayoutReader.Answer {
        guard let movie, let box = BoxHead(bytes), let size = box.size, size <= LayoutReader.mostHeld else {
            return .unusable("the last fragment is malformed")
        }
        guard bytes.count >= Int(size) else { return .more }
        guard let inspection = try? MP4Inspector.inspect(bytes.prefix(Int(size)), initialization: movie.inspection)
        else {
            return .unusable("the last fragment is malformed")
        }
        let ends = inspection.tracks.compactMap { track in
            track.start.flatMap { start in track.duration.map { start + $0 } }
        }
        guard let end = ends.max().map(Duration.init), end > .zero, end < .longestFile else {
            return .unusable("the last fragment does not state its duration")
        }
        return .found(movie.layout((index.map(until: end), end)))
    }
}
