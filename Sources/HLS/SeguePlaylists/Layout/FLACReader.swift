internal import SegueContainers

/// Reads the metadata blocks of FLAC (RFC 9639, 8).
struct FLACReader: Sendable {
    /// The offset of the file after a leading tag.
    let start: Int64

    private var place: Int64
    private var rate: Int64 = 0
    private var samples: Int64 = 0
    private var seekPoints: [(sample: Int64, offset: Int64)] = []

    init(start: Int64) {
        self.start = start
        place = start + 4
    }

    mutating func step(_ bytes: ArraySlice<UInt8>, at origin: Int64, length: Int64?) -> LayoutReader.Answer {
        while place - origin + 4 <= Int64(bytes.count) {
            var reader = ByteReader(bytes.dropFirst(Int(place - origin)))
            guard let type = reader.byte(), let size = reader.integer(3) else { return .more }
            let kind = type & 0x7F
            if kind == 0 || kind == 3 {
                guard let body = reader.slice(size) else { return .more }
                if kind == 0 { readInfo(body) } else { readSeekTable(body) }
            }
            place += 4 + Int64(size)
            if type & 0x80 != 0 { return layout(length: length) }
        }
        // What lies behind this block is all that matters.
        return place > origin + Int64(bytes.count) ? .jump(place) : .more
    }

    private mutating func readInfo(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard reader.skip(10), let packed = reader.unsigned(8) else { return }
        rate = Int64(packed >> 44)
        samples = Int64(packed & (1 << 36 - 1))
    }

    private mutating func readSeekTable(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        while let sample = reader.unsigned(8), let offset = reader.unsigned(8), reader.skip(2) {
            // All ones stands for a place that is kept free.
            guard sample < 1 << 36, offset < 1 << 60 else { continue }
            seekPoints.append((Int64(sample), Int64(offset)))
        }
    }

    private func layout(length: Int64?) -> LayoutReader.Answer {
        guard rate > 0, samples > 0 else { return .unusable("its STREAMINFO does not say how long it is") }
        guard let length else { return .unusable("the server does not say how long it is, nor is it a stream") }
        let duration = Duration.units(samples, of: rate)
        var layout = MediaLayout.even("flac", from: place, to: length, duration: duration)
        var points = [ByteMap.Point(time: .zero, offset: place)]
        for point in seekPoints {
            let time = Duration.units(point.sample, of: rate)
            let offset = place + point.offset
            guard let last = points.last, time > last.time, time < duration, offset > last.offset, offset < length
            else { continue }
            points.append(ByteMap.Point(time: time, offset: offset))
        }
        layout.map = ByteMap(points: points + [ByteMap.Point(time: duration, offset: max(length, place))])
        return .found(layout)
    }
}
