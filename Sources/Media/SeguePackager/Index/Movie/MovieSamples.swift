internal import SegueFFmpeg

/// An iterator over a track's samples in the movie's tables.
struct MovieSamples {
    struct Sample {
        var position: Int64
        var size: Int32
        /// The decode time, in track units from 0.
        var time: Int64
        var duration: Int64
        /// The presentation time minus the decode time.
        var offset: Int64
        var isKey: Bool
    }

    /// A table's numbers, loaded in chunks.
    private struct Numbers {
        let table: MovieTables.Table
        private var held: [UInt32] = []
        private var first = 0

        init(_ table: MovieTables.Table) { self.table = table }

        /// The number at a position across all entries.
        @inline(__always)
        mutating func number(_ place: Int, _ reader: StretchReader) throws -> UInt32 {
            if place < first || place >= first + held.count { try hold(place, reader) }
            return held[place - first]
        }

        private mutating func hold(_ place: Int, _ reader: StretchReader) throws {
            let count = min(8192, table.count * table.width - place)
            guard count > 0 else { throw MovieTables.Unusual() }
            held = try reader.words(at: table.start + Int64(4 * place), count: count)
            first = place
        }
    }

    /// Run-length encoded entries.
    private struct Runs {
        var numbers: Numbers
        var entry = 0
        var left = 0
        var value: UInt32 = 0

        mutating func next(_ reader: StretchReader) throws -> UInt32 { try next(atMost: 1, reader).value }

        /// Returns the next value and the number of samples that share it.
        mutating func next(atMost most: Int, _ reader: StretchReader) throws -> (value: UInt32, count: Int) {
            if left == 0 {
                guard entry < numbers.table.count else { throw MovieTables.Unusual() }
                left = Int(try numbers.number(2 * entry, reader))
                value = try numbers.number(2 * entry + 1, reader)
                entry += 1
                guard left > 0 else { throw MovieTables.Unusual() }
            }
            let count = min(left, most)
            left -= count
            return (value, count)
        }
    }

    /// The position in the tables of chunks.
    struct ChunkCursor {
        private var chunks: Numbers
        private var runs: Numbers
        /// The number of chunks begun, and the samples left in the last.
        private(set) var begun = 0
        fileprivate(set) var left = 0
        /// The current entry of the sample-to-chunk table, and its samples per chunk.
        private(set) var run = 0
        private(set) var samples = 0

        fileprivate init(_ track: MovieTables.Track) {
            (chunks, runs) = (Numbers(track.chunks), Numbers(track.runs))
        }

        /// Begins the next chunk, and returns its position in the file.
        fileprivate mutating func next(_ reader: StretchReader) throws -> Int64 {
            guard begun < chunks.table.count else { throw MovieTables.Unusual() }
            if begun == 0 {
                guard try runs.number(0, reader) == 1 else { throw MovieTables.Unusual() }
            } else if run + 1 < runs.table.count {
                let next = Int(try runs.number(3 * (run + 1), reader))
                guard next > begun else { throw MovieTables.Unusual() }
                if next == begun + 1 { run += 1 }
            }
            samples = Int(try runs.number(3 * run + 1, reader))
            guard samples > 0, try runs.number(3 * run + 2, reader) == 1 else { throw MovieTables.Unusual() }
            left = samples
            var position = Int64(try chunks.number(chunks.table.width * begun, reader))
            if chunks.table.width == 2 {
                position = position << 32 | Int64(try chunks.number(2 * begun + 1, reader))
                guard position < 1 << 60 else { throw MovieTables.Unusual() }
            }
            begun += 1
            return position
        }
    }

    /// The number of samples.
    let count: Int
    /// The number of the next sample.
    private(set) var number = 0
    /// The number of entries begun in the duration and offset tables, and the samples left in the last.
    var begunDurations: (entries: Int, left: Int) { (durations.entry, durations.left) }
    var begunOffsets: (entries: Int, left: Int)? { offsets.map { ($0.entry, $0.left) } }
    /// The number of keyframes so far.
    private(set) var keyCount = 0
    private(set) var chunk: ChunkCursor

    private let reader: StretchReader
    private var durations: Runs
    private var offsets: Runs?
    private var sizes: Numbers
    private var keys: Numbers?
    /// The decode time of the next sample; after the last, the total duration.
    private(set) var time: Int64 = 0
    private var position: Int64 = 0

    init(_ track: MovieTables.Track, _ reader: StretchReader) {
        self.reader = reader
        count = track.sizes.count
        durations = Runs(numbers: Numbers(track.durations))
        offsets = track.offsets.map { Runs(numbers: Numbers($0)) }
        (sizes, chunk) = (Numbers(track.sizes), ChunkCursor(track))
        keys = track.keys.map { Numbers($0) }
    }

    /// The next sample; nil after the last.
    mutating func next() throws -> Sample? {
        guard number < count else {
            guard durations.left == 0, offsets?.left ?? 0 == 0, chunk.left == 0 else { throw MovieTables.Unusual() }
            return nil
        }
        if chunk.left == 0 { position = try chunk.next(reader) }
        let duration = Int64(try durations.next(reader))
        let offset = Int64(try offsets?.next(reader) ?? 0)
        let size = try sizes.number(number, reader)
        // Rejects samples shown before they are decoded, without duration, or with jumps.
        guard size > 0, size < 1 << 29, duration > 0, duration < 1 << 30, offset < 1 << 30 else {
            throw MovieTables.Unusual()
        }
        var isKey = keys == nil
        if keyCount < keys?.table.count ?? 0, let key = try keys?.number(keyCount, reader) {
            guard key > number else { throw MovieTables.Unusual() }
            isKey = Int(key) == number + 1
            if isKey { keyCount += 1 }
        }
        let sample = Sample(
            position: position,
            size: Int32(size),
            time: time,
            duration: duration,
            offset: offset,
            isKey: isKey
        )
        time += duration
        position += Int64(size)
        number += 1
        chunk.left -= 1
        return sample
    }

    /// Writes the next block of samples column by column, as in ``PacketList/Field``; returns the constant columns, and
    /// the time column if it grows evenly.
    mutating func nextBlock(into numbers: UnsafeMutableBufferPointer<Int64>) throws -> PacketList.Even {
        let size = PacketList.blockSize
        guard count - number >= size else { throw MovieTables.Unusual() }
        try placeBlock(into: numbers)
        var even = PacketList.Even(repeating: false)
        var row = 0
        while row < size {
            let run = try durations.next(atMost: size - row, reader)
            guard run.value > 0, run.value < 1 << 30 else { throw MovieTables.Unusual() }
            if run.count == size { (even[PacketList.Field.decodeTime], even[PacketList.Field.duration]) = (true, true) }
            for place in row..<row + run.count {
                numbers[PacketList.Field.decodeTime * size + place] = time
                numbers[PacketList.Field.duration * size + place] = Int64(run.value)
                time += Int64(run.value)
            }
            row += run.count
        }
        row = 0
        while row < size {
            let run = try offsets?.next(atMost: size - row, reader) ?? (value: 0, count: size)
            guard run.value < 1 << 30 else { throw MovieTables.Unusual() }
            if run.count == size { even[PacketList.Field.lateness] = true }
            for place in row..<row + run.count {
                numbers[PacketList.Field.lateness * size + place] = Int64(run.value)
            }
            row += run.count
        }
        for place in 0..<size { numbers[PacketList.Field.flags * size + place] = keys == nil ? 1 : 0 }
        even[PacketList.Field.flags] = keys == nil
        var last = number
        while keyCount < keys?.table.count ?? 0, let key = try keys?.number(keyCount, reader) {
            guard key > last else { throw MovieTables.Unusual() }
            guard key <= number + size else { break }
            numbers[PacketList.Field.flags * size + Int(key) - number - 1] = 1
            (last, keyCount) = (Int(key), keyCount + 1)
        }
        number += size
        return even
    }

    /// Writes the positions and sizes of a block's samples.
    private mutating func placeBlock(into numbers: UnsafeMutableBufferPointer<Int64>) throws {
        var row = 0
        while row < PacketList.blockSize {
            if chunk.left == 0 { position = try chunk.next(reader) }
            let end = row + min(chunk.left, PacketList.blockSize - row)
            chunk.left -= end - row
            while row < end {
                let size = try sizes.number(number + row, reader)
                guard size > 0, size < 1 << 29 else { throw MovieTables.Unusual() }
                numbers[PacketList.Field.position * PacketList.blockSize + row] = position
                numbers[PacketList.Field.size * PacketList.blockSize + row] = Int64(size)
                position += Int64(size)
                row += 1
            }
        }
    }
}

extension MovieSamples.Sample {
    /// Reads a sample of a block by row.
    init(_ row: Int, of numbers: UnsafeMutableBufferPointer<Int64>) {
        let number = { (field: Int) in numbers[field * PacketList.blockSize + row] }
        self.init(
            position: number(PacketList.Field.position),
            size: Int32(number(PacketList.Field.size)),
            time: number(PacketList.Field.decodeTime),
            duration: number(PacketList.Field.duration),
            offset: number(PacketList.Field.lateness),
            isKey: number(PacketList.Field.flags) != 0
        )
    }
}
