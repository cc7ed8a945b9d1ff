/// Sets the edit lists of a movie with a trailing `moov` box, as written by FFmpeg and Segue's recipes.
struct MovieEdits {
    /// An edit: its duration in movie units, its start in track units, and its rate.
    struct Edit {
        var duration: Int
        var start: Int
        var rate = 0x10000
    }

    /// The input of an edit list.
    struct Track {
        var isAudio: Bool
        /// The time scales of the track and the movie.
        var scales: (own: Int, movie: Int)
        var edits: [Edit]
    }

    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Changes the edits of each track.
    mutating func change(_ body: (Track) -> [Edit]) {
        guard let moov = boxes("moov", in: 0..<bytes.count).first, let head = boxes("mvhd", in: inside(moov)).first
        else { return }
        let scale = number(at: head.lowerBound + 20)
        for place in boxes("trak", in: inside(moov)).indices {
            // Lengths change, and therefore positions.
            guard let moov = boxes("moov", in: 0..<bytes.count).first else { return }
            let trak = boxes("trak", in: inside(moov))[place]
            guard let mdia = boxes("mdia", in: inside(trak)).first, let edts = boxes("edts", in: inside(trak)).first,
                let list = boxes("elst", in: inside(edts)).first, let media = boxes("mdhd", in: inside(mdia)).first,
                let handler = boxes("hdlr", in: inside(mdia)).first
            else { continue }
            let edits = (0..<number(at: list.lowerBound + 12)).map { entry in
                let first = list.lowerBound + 16 + 12 * entry
                return Edit(duration: number(at: first), start: number(at: first + 4), rate: number(at: first + 8))
            }
            let isAudio = bytes[(handler.lowerBound + 16)..<(handler.lowerBound + 20)].elementsEqual("soun".utf8)
            let scales = (own: number(at: media.lowerBound + 20), movie: scale)
            let changed = body(Track(isAudio: isAudio, scales: scales, edits: edits))
            var box = word(16 + 12 * changed.count) + Array("elst".utf8) + word(0) + word(changed.count)
            for edit in changed { box += word(edit.duration) + word(edit.start) + word(edit.rate) }
            bytes.replaceSubrange(list, with: box)
            for outer in [moov, trak, edts] {
                let length = word(outer.count + box.count - list.count)
                bytes.replaceSubrange(outer.lowerBound..<outer.lowerBound + 4, with: length)
            }
        }
    }

    /// Removes the edit lists and extends the first audio packet by some track units, as FFmpeg does when it cuts a
    /// movie without them.
    mutating func stretchFirstAudio(by units: Int) {
        guard let moov = boxes("moov", in: 0..<bytes.count).first else { return }
        for trak in boxes("trak", in: inside(moov)) {
            guard let mdia = boxes("mdia", in: inside(trak)).first, let minf = boxes("minf", in: inside(mdia)).first,
                let handler = boxes("hdlr", in: inside(mdia)).first, let stbl = boxes("stbl", in: inside(minf)).first,
                let stts = boxes("stts", in: inside(stbl)).first
            else { continue }
            if let edts = boxes("edts", in: inside(trak)).first {
                bytes.replaceSubrange(edts.lowerBound + 4..<edts.lowerBound + 8, with: "free".utf8)
            }
            guard bytes[(handler.lowerBound + 16)..<(handler.lowerBound + 20)].elementsEqual("soun".utf8) else {
                continue
            }
            let (count, length) = (number(at: stts.lowerBound + 16), number(at: stts.lowerBound + 20))
            let entries = word(1) + word(length + units) + word(count - 1) + word(length)
            for (place, value) in [
                (stts.lowerBound, stts.count + 8), (stts.lowerBound + 12, number(at: stts.lowerBound + 12) + 1),
            ]
                + [moov, trak, mdia, minf, stbl].map({ ($0.lowerBound, $0.count + 8) })
            {
                bytes.replaceSubrange(place..<place + 4, with: word(value))
            }
            bytes.replaceSubrange(stts.lowerBound + 16..<stts.lowerBound + 24, with: entries)
            // Everything behind it has moved.
            return
        }
    }

    private func boxes(_ type: String, in range: Range<Int>) -> [Range<Int>] {
        var (place, found) = (range.lowerBound, [Range<Int>]())
        while place + 8 <= range.upperBound {
            let size = number(at: place)
            guard size >= 8, place + size <= range.upperBound else { break }
            if bytes[(place + 4)..<(place + 8)].elementsEqual(type.utf8) { found.append(place..<place + size) }
            place += size
        }
        return found
    }

    private func inside(_ box: Range<Int>) -> Range<Int> { box.lowerBound + 8..<box.upperBound }

    private func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }

    private func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
}
