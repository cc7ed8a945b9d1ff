internal import SegueBase
internal import SegueFFmpeg

/// A writer of fragmented MP4 init segments: libav writes the movie box, and exact values are patched in.
enum InitWriter {
    /// A track of an init segment.
    struct Track {
        var parameters: CodecParameters
        var tag: String?
        var timescale: Int64
        /// A packet from which the muxer derives missing parameters.
        var example: [UInt8]
        var displayMatrix: [Int32]?
        var dolbyVision: DolbyVision?
        var language: String?
    }

    /// Writes an init segment; track IDs count from 1.
    static func segment(_ tracks: [Track], file: String) throws -> [UInt8] {
        let muxer = try Muxer(
            format: "mp4",
            options: [
                "movflags": "empty_moov+delay_moov+default_base_moof+skip_trailer", "use_editlist": "0",
                // libavformat 59 treats FLAC in MP4 as experimental, but follows the specification.
                "strict": "experimental",
            ]
        )
        for track in tracks {
            var attributes = StreamAttributes()
            // libavformat 59 has no tag for Dolby Vision.
            if let tag = track.tag { attributes.codecTag = fourCharacters(tag == "dvh1" ? "hvc1" : tag) }
            attributes.displayMatrix = track.displayMatrix
            attributes.dolbyVision = track.dolbyVision
            if let language = track.language { attributes.metadata["language"] = language }
            try muxer.addStream(track.parameters, timeBase: Rational(1, track.timescale), attributes: attributes)
        }
        for (number, track) in tracks.enumerated() {
            let packet = Packet(bytes: track.example)
            packet.pts = 0
            packet.dts = 0
            packet.duration = 1
            packet.isKey = true
            try muxer.write(packet, stream: number)
        }
        let bytes = try muxer.takeUnfinished()
        guard var movie = box("moov", in: bytes).map({ Array(bytes[$0]) }) else {
            throw PackagingError(.broken, file: file, "libav wrote no movie box")
        }
        setTimescales(tracks.map(\.timescale), in: &movie)
        setSampleEntries(tracks.map(\.tag), in: &movie)
        return fileType(tracks.compactMap { $0.dolbyVision?.brand }) + movie
    }

    /// Brand iso6, which includes everything that segments need, and the brands of enhancements.
    private static func fileType(_ brands: [String]) -> [UInt8] {
        var box: [UInt8] = []
        box.appendBigEndian(UInt32(28 + 4 * brands.count))
        box.append(contentsOf: Array("ftypiso6".utf8))
        box.appendBigEndian(UInt32(0))
        box.append(contentsOf: Array(("iso6mp41cmfc" + brands.joined()).utf8))
        return box
    }

    private static func fourCharacters(_ name: String) -> UInt32 {
        name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func box(_ name: String, in bytes: [UInt8], within range: Range<Int>? = nil) -> Range<Int>? {
        boxes(in: bytes, within: range ?? 0..<bytes.count).first { $0.name == name }?.range
    }

    private static func boxes(in bytes: [UInt8], within range: Range<Int>) -> [(name: String, range: Range<Int>)] {
        var result: [(String, Range<Int>)] = []
        var place = range.lowerBound
        while place + 8 <= range.upperBound {
            let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8, place + size <= range.upperBound else { break }
            let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            result.append((name, place..<place + size))
            place += size
        }
        return result
    }

    /// Sets the names of sample entries; nil keeps the muxer's.
    private static func setSampleEntries(_ tags: [String?], in movie: inout [UInt8]) {
        let tracks = boxes(in: movie, within: 8..<movie.count).filter { $0.name == "trak" }
        for (track, tag) in zip(tracks, tags) {
            guard let tag else { continue }
            var place: Range<Int>? = track.range
            for name in ["mdia", "minf", "stbl", "stsd"] {
                place = place.flatMap { box(name, in: movie, within: $0.lowerBound + 8..<$0.upperBound) }
            }
            // The entry's name follows the version, the count, and its size.
            guard let place, place.count >= 24 else { continue }
            movie.replaceSubrange(place.lowerBound + 20..<place.lowerBound + 24, with: Array(tag.utf8))
        }
    }

    private static func setTimescales(_ scales: [Int64], in movie: inout [UInt8]) {
        let tracks = boxes(in: movie, within: 8..<movie.count).filter { $0.name == "trak" }
        for (track, scale) in zip(tracks, scales) {
            let inside = track.range.lowerBound + 8..<track.range.upperBound
            guard let media = box("mdia", in: movie, within: inside),
                let header = box("mdhd", in: movie, within: media.lowerBound + 8..<media.upperBound)
            else { continue }
            let place = header.lowerBound + (movie[header.lowerBound + 8] == 1 ? 28 : 20)
            var bytes: [UInt8] = []
            bytes.appendBigEndian(UInt32(truncatingIfNeeded: scale))
            movie.replaceSubrange(place..<place + 4, with: bytes)
        }
    }
}
