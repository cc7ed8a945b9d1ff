internal import Media
internal import Timeline

/// Makes any pictures of a transcoded film, the same bytes whichever are asked for.
///
/// Decoding begins at the keyframe before the first picture (an earlier one where the container takes a picture for a
/// keyframe that is none), encoding with the first picture itself; nothing is left
/// over from one range to the next.
struct PictureEncoder {
    /// A coded picture: its place among all, and its bytes with start codes.
    struct Coded {
        var place: Int
        var bytes: [UInt8]
        var isKey: Bool
    }

    let index: StreamIndex
    let track: VideoTrack
    let pictures: TranscodedPictures
    let reader: PacketReader
    let cancellation: Cancellation

    /// The coded pictures of a range of places; those that libav cannot decode are left out.
    ///
    /// - Throws: ``MediaError`` or ``PackagingError`` when the source cannot be read or the work is cancelled.
    func pictures(_ range: Range<Int>) throws -> [Coded] {
        let numbers = pictures.packets[range]
        guard let low = numbers.min(), let high = numbers.max() else { return [] }
        var fewer = 0
        while true {
            let start = pictures.decodingStart(
                forPacket: low,
                shownAt: track.pts[range.lowerBound],
                without: fewer
            )
            if let coded = try pictures(range, numbers: numbers, decoding: start..<high + 1) { return coded }
            fewer = max(1, fewer * 4)
        }
    }

    /// The coded pictures; nil where the first that is decoded turns out to need others before it.
    private func pictures(_ range: Range<Int>, numbers: ArraySlice<Int>, decoding packets: Range<Int>) throws
        -> [Coded]?
    {
        let decoder = try Decoder(stream: index.info, file: reader.file)
        var run = try Run(encoder: pictures.settings.open(), settings: pictures.settings, times: track.pts)
        let places = Dictionary(uniqueKeysWithValues: zip(numbers, range))
        try reader.begin([index.info.index: packets])
        var decoded: [Frame] = []
        var isChecked = packets.lowerBound == 0
        while let (_, number, packet) = try reader.next() {
            try cancellation.check("encode", file: reader.file)
            index.prepare(packet, number: number, isFirst: number == packets.lowerBound && number > 0)
            do {
                try decoder.decode(packet, opaque: Int64(number)) { decoded.append($0.taken()) }
            } catch let error as MediaError {
                if error.isCancelled { throw error }
            }
            if !isChecked, let first = decoded.first {
                guard first.isKey else { return nil }
                isChecked = true
            }
            try run.encode(&decoded, places: places)
        }
        try? decoder.decode(nil) { decoded.append($0.taken()) }
        try run.encode(&decoded, places: places)
        return try run.finish()
    }

    /// One pass of the encoder.
    private struct Run {
        let encoder: VideoEncoder
        let settings: PictureSettings
        let times: [Int64]
        var scaler: (scaler: Scaler, width: Int, height: Int, format: String)?
        var last: Int?
        var coded: [Coded] = []
        var pending: [Int] = []

        init(encoder: VideoEncoder, settings: PictureSettings, times: [Int64]) throws {
            self.encoder = encoder
            self.settings = settings
            self.times = times
        }

        mutating func encode(_ decoded: inout [Frame], places: [Int: Int]) throws {
            defer { decoded.removeAll(keepingCapacity: true) }
            for frame in decoded {
                guard let place = places[Int(frame.opaque)], place > last ?? -1 else { continue }
                let isFirst = last == nil
                last = place
                let picture = try fitted(frame)
                picture.pts = times[place]
                pending.append(place)
                var output: [(bytes: [UInt8], isKey: Bool)] = []
                try encoder.encode(picture, forceKey: isFirst) { output.append(($0.bytes, $0.isKey)) }
                keep(output)
            }
        }

        mutating func finish() throws -> [Coded] {
            guard last != nil else { return [] }
            var output: [(bytes: [UInt8], isKey: Bool)] = []
            try encoder.encode(nil) { output.append(($0.bytes, $0.isKey)) }
            keep(output)
            return coded
        }

        /// Packets come in the order of the pictures, as no picture is coded out of order.
        private mutating func keep(_ output: [(bytes: [UInt8], isKey: Bool)]) {
            for packet in output {
                coded.append(Coded(place: pending[coded.count], bytes: packet.bytes, isKey: packet.isKey))
            }
        }

        /// The picture in the delivered size and format.
        private mutating func fitted(_ frame: Frame) throws -> Frame {
            let format = frame.pixelFormat ?? ""
            if format == encoder.pixelFormat, frame.width == settings.width, frame.height == settings.height {
                return frame
            }
            if scaler?.width != frame.width || scaler?.height != frame.height || scaler?.format != format {
                let made = try Scaler(
                    from: frame.width,
                    frame.height,
                    pixelFormat: format,
                    to: settings.width,
                    settings.height,
                    pixelFormat: encoder.pixelFormat
                )
                scaler = (made, frame.width, frame.height, format)
            }
            return try scaler?.scaler.convert(frame) ?? frame
        }
    }
}

extension PictureEncoder {
    /// Bytes of a coded picture, measured at a few places of the film.
    struct TypicalSizes: Sendable {
        /// The first of a segment.
        var first = 0
        /// Any other, as a share of what its packet has in the source.
        var others = 0.0

        /// What the pictures of a segment take, reckoned from their sizes in the source.
        func sizes(sources: [Int]) -> [Int] {
            sources.enumerated().map { $0 == 0 ? first : Int(Double($1) * others) }
        }
    }

    /// Encodes some pictures at a few places and measures them.
    func typicalSizes() throws -> TypicalSizes {
        let window = 24
        let count = track.pts.count
        let places = count <= 4 * window ? [0] : [1, 3, 5].map { count * $0 / 6 }
        var firsts: [Int] = []
        var (others, sources) = (0, 0)
        for place in places {
            let coded = try pictures(place..<min(count, place + window))
            firsts += coded.prefix(1).map(\.bytes.count)
            for picture in coded.dropFirst() {
                others += picture.bytes.count
                sources += Int(index.packets[pictures.packets[picture.place]].size)
            }
        }
        return TypicalSizes(
            first: firsts.reduce(0, +) / max(1, firsts.count),
            others: sources > 0 ? Double(others) / Double(sources) : 0
        )
    }
}
