internal import SegueBase
internal import SegueContainers

/// The offsets and times of the fragments of a file.
struct FragmentIndex: Sendable {
    private var points: [ByteMap.Point]
    private let end: Int64

    /// The offset of the last fragment.
    var last: Int64 { points[points.count - 1].offset }

    /// Reads the index at the end of a file (`mfra`) of the track with the most entries.
    init?(randomAccess body: ArraySlice<UInt8>, _ movie: MovieBox, end: Int64) {
        var best: [ByteMap.Point] = []
        var boxes = BoxReader(body)
        while let box = boxes.next() {
            guard box.type == "tfra", let points = Self.entries(box.body, movie), points.count > best.count else {
                continue
            }
            best = points
        }
        guard !best.isEmpty else { return nil }
        (points, self.end) = (best, end)
    }

    func map(until duration: Duration) -> ByteMap {
        var points = points.filter { $0.time < duration }
        if points.first.map({ $0.time > .zero }) ?? true {
            points.insert(ByteMap.Point(time: .zero, offset: points.first?.offset ?? 0), at: 0)
        }
        return ByteMap(points: points + [ByteMap.Point(time: duration, offset: end)])
    }

    private static func entries(_ body: ArraySlice<UInt8>, _ movie: MovieBox) -> [ByteMap.Point]? {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(3), let track = reader.integer(4), let sizes = reader.integer(4),
            let count = reader.integer(4), let scale = movie.timeScale(of: track)
        else { return nil }
        let width = version == 1 ? 8 : 4
        let numbers = (sizes >> 4 & 3) + (sizes >> 2 & 3) + (sizes & 3) + 3
        var points: [ByteMap.Point] = []
        for _ in 0..<min(count, reader.count / (2 * width + numbers)) {
            guard let time = reader.unsigned(width), let offset = reader.unsigned(width), reader.skip(numbers),
                time < 1 << 60, offset < 1 << 60
            else { break }
            let point = ByteMap.Point(time: .units(Int64(time), of: scale), offset: Int64(offset))
            if let last = points.last, point.time <= last.time || point.offset <= last.offset { continue }
            points.append(point)
        }
        return points
    }

    /// Reads a segment index (`sidx`) that refers to media only; nil for other indexes.
    ///
    /// - Parameters:
    ///   - body: The body of the box.
    ///   - end: The offset after the box, from which its references count.
    /// - Returns: The map and the duration of the media.
    static func segmentIndex(_ body: ArraySlice<UInt8>, end: Int64) -> (map: ByteMap, duration: Duration)? {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(7), let scale = reader.integer(4), scale > 0 else { return nil }
        let width = version == 0 ? 4 : 8
        guard reader.skip(width), let first = reader.unsigned(width), first < 1 << 40, reader.skip(2),
            let count = reader.integer(2), count > 0
        else { return nil }
        var (ticks, offset) = (Int64(0), end + Int64(first))
        var points: [ByteMap.Point] = []
        for _ in 0..<count {
            guard let size = reader.integer(4), let duration = reader.integer(4), reader.skip(4), size >> 31 == 0
            else { return nil }
            points.append(ByteMap.Point(time: .units(ticks, of: Int64(scale)), offset: offset))
            ticks += Int64(duration)
            offset += Int64(size)
        }
        let duration = Duration.units(ticks, of: Int64(scale))
        guard duration > .zero else { return nil }
        points.append(ByteMap.Point(time: duration, offset: offset))
        return (ByteMap(points: points), duration)
    }
}
