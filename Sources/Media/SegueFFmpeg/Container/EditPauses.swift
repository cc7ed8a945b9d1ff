internal import SegueBase
internal import SegueContainers

/// The empty edits behind media in the edit lists of a movie (ISO/IEC 14496-12, 8.6.6: "an empty edit" is a pause).
///
/// libav honors empty edits at the start only, and plays the beginning of the media in a later one. So it reads a movie
/// without them, and its timestamps are moved.
struct EditPauses {
    /// A pause of a track.
    struct Pause: Equatable {
        /// The time on the track's timeline without pauses, in track units.
        let start: Int64
        /// The duration, in track units.
        let duration: Int64
    }

    /// The pauses by track ID, each in order; only tracks that have some.
    private(set) var tracks: [Int: [Pause]] = [:]
    /// The replacements that take the pauses out of the file's edit lists.
    private(set) var patches: [FilePatch] = []

    /// The maximum number of edits of a list that is examined, and of boxes of a level.
    private static let (greatestList, greatestLevel) = (256, 4096)
    /// The limit of durations and times in any units, low enough that sums do not overflow.
    private static let longest = Int64(1) << 48

    private let file: FileBytes

    private typealias Body = Range<Int64>

    /// Reads the movie box of a file; nil if no track has a pause.
    init?(path: String) {
        guard let file = FileBytes(path: path, isInOrder: false) else { return nil }
        self.file = file
        guard let last = boxes(in: 0..<file.size, upTo: "moov").last, last.type == "moov" else { return nil }
        let movie = last.body
        let inside = boxes(in: movie)
        guard let scale = inside.first(where: { $0.type == "mvhd" }).flatMap({ clock($0.body) }) else { return nil }
        for box in inside where box.type == "trak" { readTrack(box.body, movieScale: scale) }
        if patches.isEmpty { return nil }
    }

    private mutating func readTrack(_ track: Body, movieScale: Int64) {
        var (number, scale): (Int?, Int64?) = (nil, nil)
        var list: Body?
        for (type, body) in boxes(in: track) {
            switch type {
            case "tkhd": number = MovieHeads.trackNumber(bytes(body, atMost: MovieHeads.length))
            case "edts": list = boxes(in: body).first { $0.type == "elst" }?.body
            case "mdia": scale = boxes(in: body).first { $0.type == "mdhd" }.flatMap { clock($0.body) }
            default: break
            }
        }
        guard let number, let scale, let list else { return }
        readList(list, of: number, scale: scale, movieScale: movieScale)
    }

    /// The time units per second in `mvhd` or `mdhd`.
    private func clock(_ body: Body) -> Int64? { ClockHead(bytes(body, atMost: ClockHead.length))?.scale }

    private mutating func readList(_ list: Body, of track: Int, scale: Int64, movieScale: Int64) {
        let content = bytes(list, atMost: 8 + 20 * Self.greatestList)
        guard let parsed = EditList(content), parsed.count <= Self.greatestList else { return }
        let edits = Array(parsed)
        let size = content.first == 1 ? 20 : 12
        guard edits.count == parsed.count else { return }
        var (pauses, kept): ([Pause], [Int]) = ([], [])
        var (time, hasMedia) = (Int64(0), false)
        for (place, edit) in edits.enumerated() {
            guard edit.duration < UInt64(Self.longest) else { return }
            let duration = Rational(Int64(edit.duration), movieScale).rounded(scale: scale)
            guard duration < Self.longest, time < Self.longest else { return }
            if edit.start < 0, hasMedia {
                if duration > 0 { pauses.append(Pause(start: time, duration: duration)) }
                continue
            }
            hasMedia = hasMedia || edit.start >= 0
            time += duration
            kept.append(place)
        }
        // A pause at the end holds nothing.
        while let last = pauses.last, last.start >= time { pauses.removeLast() }
        guard kept.count < edits.count, list.upperBound - list.lowerBound == Int64(8 + edits.count * size) else {
            return
        }
        let entries = kept.map { Array(content.dropFirst(8 + $0 * size).prefix(size)) }
        guard replace(list, with: Array(content.prefix(4)), entries, free: (edits.count - kept.count) * size) else {
            return
        }
        if !pauses.isEmpty { tracks[track] = pauses }
    }

    /// Replaces a list by a shorter one, since libav derives the number of entries from the size of the box, and the rest by
    /// a free box; false if it cannot.
    private mutating func replace(_ list: Body, with head: [UInt8], _ entries: [[UInt8]], free: Int) -> Bool {
        func word(_ number: Int) -> [UInt8] {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { [UInt8]($0) }
        }
        let body = head + word(entries.count) + entries.flatMap { $0 }
        let rest = word(free) + Array("free".utf8)
        let start = list.lowerBound - Int64(BoxHead.shortLength)
        // Other headers have the size elsewhere.
        guard bytes(start..<list.lowerBound, atMost: 4).elementsEqual(word(body.count + free + BoxHead.shortLength))
        else {
            return false
        }
        patches += FilePatch.all(
            position: start,
            word(body.count + BoxHead.shortLength) + Array("elst".utf8) + body + rest
        )
        return true
    }

    /// The boxes in a range, up to the first one of a type.
    private func boxes(in range: Body, upTo last: FourCC? = nil) -> [(type: FourCC, body: Body)] {
        var result: [(type: FourCC, body: Body)] = []
        var place = range.lowerBound
        while place < range.upperBound, result.count < Self.greatestLevel {
            guard let head = BoxHead(file.bytes(at: place, count: BoxHead.longLength)[...]) else { break }
            let end = min(range.upperBound, head.size.map { place + $0 } ?? range.upperBound)
            guard place + Int64(head.length) <= end else { break }
            result.append((head.type, place + Int64(head.length)..<end))
            if head.type == last { break }
            place = end
        }
        return result
    }

    private func bytes(_ range: Body, atMost most: Int) -> ArraySlice<UInt8> {
        file.bytes(at: range.lowerBound, count: Int(min(Int64(most), range.upperBound - range.lowerBound)))[...]
    }
}

extension [EditPauses.Pause] {
    /// The sum of the pauses before or at a time on the timeline without pauses.
    func sum(at time: Int64) -> Int64 { reduce(0) { $1.start <= time ? $0 + $1.duration : $0 } }

    /// The time on the timeline without pauses; the start of a pause for a time inside it.
    func withoutPauses(_ time: Int64) -> Int64 {
        var passed: Int64 = 0
        for pause in self where pause.start + passed <= time {
            passed += Swift.min(pause.duration, time - pause.start - passed)
        }
        return time - passed
    }
}
