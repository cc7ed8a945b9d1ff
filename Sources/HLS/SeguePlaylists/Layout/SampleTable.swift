internal import SegueBase
internal import SegueContainers

/// Iterates over the samples of a track with their decode times and bytes (ISO/IEC 14496-12, 8.6 and 8.7).
struct SampleTable {
    private let scale: Int64
    private let shift: Duration
    private var times: ByteReader
    private var chunkRuns: ByteReader
    private var offsets: ByteReader
    private let offsetWidth: Int
    private var sizes: ByteReader
    private let fixedSize: Int
    private var samplesLeft: Int
    private var keySamples: [Int] = []

    /// The times of the sync samples; empty if all samples are sync samples.
    ///
    /// Known after ``pieces(of:)``.
    private(set) var keyTimes: [Duration] = []

    private var timeRun = (count: 0, delta: 0)
    private var samplesPerChunk = 0

    /// The maximum number of pieces, since the counts in a file may be false.
    private static let mostPieces = 1_000_000

    /// The limit of offsets.
    private static let farthest = Int64(1) << 60

    init?(_ table: ArraySlice<UInt8>, scale: Int64, shift: Duration) {
        func entries(_ type: FourCC) -> (head: BoxTable, entries: ByteReader, whole: Int)? {
            guard let body = BoxReader.first(type, in: table), let head = BoxTable(type, body) else { return nil }
            return (head, ByteReader(body.dropFirst(head.start)), head.entries(inBody: Int64(body.count)))
        }
        guard let times = entries("stts"), let chunkRuns = entries("stsc"), let sizes = entries("stsz"),
            let offsets = entries("stco") ?? entries("co64")
        else { return nil }
        offsetWidth = offsets.head.entrySize
        (self.times, self.chunkRuns) = (times.entries, chunkRuns.entries)
        (self.offsets, self.sizes) = (offsets.entries, sizes.entries)
        (self.scale, self.shift, fixedSize) = (scale, shift, sizes.head.fixedSize)
        samplesLeft = fixedSize > 0 ? sizes.head.count : sizes.whole
        if var keys = entries("stss") {
            for _ in 0..<keys.whole { keySamples.append((keys.entries.integer(4) ?? 1) - 1) }
        }
    }

    /// Returns the samples in pieces of about a duration.
    mutating func pieces(of length: Duration) -> [ByteMap.Piece] {
        var pieces: [ByteMap.Piece] = []
        var (ticks, number, nextKey) = (Int64(0), 0, 0)
        var (chunk, cuts) = (0, 0)
        let most = max(1, Int64(length.seconds * Double(scale)))
        while samplesLeft > 0, pieces.count < Self.mostPieces, let offset = offsets.unsigned(offsetWidth),
            offset < Self.farthest
        {
            chunk += 1
            var place = Int64(offset)
            var left = min(samplesInChunk(chunk), samplesLeft)
            while left > 0 {
                while timeRun.count == 0 {
                    guard let count = times.integer(4), let delta = times.integer(4) else { return pieces }
                    timeRun = (count, delta)
                }
                // Samples of one size and one duration are taken many at a time.
                var count = 1
                if fixedSize > 0 {
                    count = min(left, timeRun.count)
                    if timeRun.delta > 0, Int64(count) > most / Int64(timeRun.delta) {
                        count = min(count, Int(max(1, most / Int64(timeRun.delta))))
                        cuts += 1
                    }
                }
                guard let size = size(of: count), cuts <= Self.mostPieces, pieces.count < Self.mostPieces else {
                    return pieces
                }
                while nextKey < keySamples.count, keySamples[nextKey] < number + count {
                    if keySamples[nextKey] >= number { keyTimes.append(time(ticks)) }
                    nextKey += 1
                }
                add(ticks, place..<place + size, length: length, to: &pieces)
                place += size
                ticks += Int64(timeRun.delta) * Int64(count)
                guard place < 2 * Self.farthest, Duration.units(ticks, of: scale) < .longestFile else { return pieces }
                timeRun.count -= count
                left -= count
                samplesLeft -= count
                number += count
            }
        }
        return pieces
    }

    /// Returns the size of the next samples in bytes; nil if the table does not state it or it is impossible.
    private mutating func size(of count: Int) -> Int64? {
        guard fixedSize > 0 else { return sizes.integer(4).map(Int64.init) }
        let (size, isTooLarge) = Int64(fixedSize).multipliedReportingOverflow(by: Int64(count))
        return isTooLarge || size >= Self.farthest ? nil : size
    }

    private func time(_ ticks: Int64) -> Duration { max(.zero, Duration.units(ticks, of: scale) + shift) }

    private func add(_ ticks: Int64, _ bytes: Range<Int64>, length: Duration, to pieces: inout [ByteMap.Piece]) {
        let time = time(ticks)
        guard let last = pieces.indices.last, time < pieces[last].start + length else {
            return pieces.append(ByteMap.Piece(start: time, bytes: bytes))
        }
        let whole = pieces[last].bytes
        pieces[last].bytes = min(whole.lowerBound, bytes.lowerBound)..<max(whole.upperBound, bytes.upperBound)
    }

    /// Returns the number of samples of a chunk; chunks are requested in order.
    private mutating func samplesInChunk(_ chunk: Int) -> Int {
        while true {
            var following = chunkRuns
            guard let first = following.integer(4), first <= chunk, let samples = following.integer(4),
                following.skip(4)
            else { return samplesPerChunk }
            (chunkRuns, samplesPerChunk) = (following, samples)
        }
    }
}
