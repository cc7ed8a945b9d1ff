internal import SegueBase
internal import SegueContainers

/// A fragment parsed from a segment.
struct ReadFragment {
    /// A sample: its row and its byte range.
    struct Sample {
        var time: Int64
        var duration: UInt32
        var flags: UInt32
        var offset: UInt32
        var bytes: Range<Int>
    }

    struct Track {
        var number: Int
        var scale: Int64
        var isVideo: Bool
        var time: Int64
        var samples: [Sample] = []
    }

    /// The bytes before the fragment.
    let head: Range<Int>
    private(set) var tracks: [Track] = []

    init?(_ segment: [UInt8], initialization: ArraySlice<UInt8>) {
        var boxes = BoxReader(segment[...])
        var found: (start: Int, body: ArraySlice<UInt8>)?
        var place = 0
        while found == nil, let box = boxes.next() {
            if box.type == "moof" { found = (place, box.body) }
            place = box.body.endIndex
        }
        guard let (start, body) = found else { return nil }
        head = 0..<start
        let clocks = Self.clocks(initialization)
        var parts = BoxReader(body)
        while let part = parts.next() {
            guard part.type == "traf" else { continue }
            guard let track = Self.track(part.body, clocks, moof: start, end: segment.count) else { return nil }
            tracks.append(track)
        }
        if tracks.isEmpty { return nil }
    }

    /// The clock of each track, and whether it is video.
    private static func clocks(_ bytes: ArraySlice<UInt8>) -> [Int: (scale: Int64, isVideo: Bool)] {
        var result: [Int: (scale: Int64, isVideo: Bool)] = [:]
        var boxes = BoxReader(BoxReader.first("moov", in: bytes) ?? [])
        while let box = boxes.next() {
            guard box.type == "trak",
                let number = BoxReader.first("tkhd", in: box.body).flatMap(MovieHeads.trackNumber),
                let clock = BoxReader.first(["mdia", "mdhd"], in: box.body).flatMap(ClockHead.init)
            else { continue }
            let handler = BoxReader.first(["mdia", "hdlr"], in: box.body).flatMap(MovieHeads.handler)
            result[number] = (clock.scale, handler == "vide")
        }
        return result
    }

    private static func track(
        _ body: ArraySlice<UInt8>,
        _ clocks: [Int: (scale: Int64, isVideo: Bool)],
        moof: Int,
        end: Int
    ) -> Track? {
        guard let number = BoxReader.first("tfhd", in: body).flatMap({ FragmentHead($0) })?.track,
            let clock = clocks[number], let time = BoxReader.first("tfdt", in: body).flatMap(MovieHeads.decodeTime)
        else { return nil }
        var track = Track(number: number, scale: clock.scale, isVideo: clock.isVideo, time: time)
        var (next, boxes) = (time, BoxReader(body))
        while let box = boxes.next() {
            guard box.type == "trun" else { continue }
            var reader = ByteReader(box.body)
            guard reader.unsigned(4) == 0x0100_0f01, let count = reader.integer(4), let offset = reader.signed32(),
                count <= reader.count / 16
            else { return nil }
            var place = moof + offset
            for _ in 0..<count {
                guard let duration = reader.unsigned(4), let size = reader.integer(4), let flags = reader.unsigned(4),
                    let composition = reader.unsigned(4), place >= 0, size <= end - place
                else { return nil }
                track.samples.append(
                    Sample(
                        time: next,
                        duration: UInt32(truncatingIfNeeded: duration),
                        flags: UInt32(truncatingIfNeeded: flags),
                        offset: UInt32(truncatingIfNeeded: composition),
                        bytes: place..<place + size
                    )
                )
                place += size
                next += Int64(duration)
            }
        }
        return track
    }

    /// Groups the samples by part: per track, those that begin before the part's end.
    ///
    /// `borders` are the ends of all parts but the last, in microseconds from the segment's start.
    func chunks(start: Rational, borders: [Int64]) -> [[ChunkTrack]] {
        var chunks = [[ChunkTrack]](repeating: [], count: borders.count + 1)
        for track in tracks {
            // Video is decoded before display, by the first frame's offset.
            let zero = track.isVideo ? Rational(track.samples.first?.time ?? 0, track.scale) : start
            var first = track.samples.startIndex
            for (place, border) in (borders + [.max]).enumerated() {
                let end =
                    track.samples[first...].firstIndex {
                        (Rational($0.time, track.scale) - zero).rounded(scale: 1_000_000) >= border
                    } ?? track.samples.endIndex
                let time = first < track.samples.endIndex ? track.samples[first].time : track.end
                chunks[place].append(ChunkTrack(number: track.number, time: time, samples: track.samples[first..<end]))
                first = end
            }
        }
        return chunks
    }
}

extension ReadFragment.Track {
    fileprivate var end: Int64 { samples.last.map { $0.time + Int64($0.duration) } ?? time }
}
