internal import Foundation
internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

extension MovieIndex {
    /// From so many samples on a movie is indexed by its tables.
    static let longMovie = 20_000

    /// Indexes a long movie by its sample tables, after what a demuxer makes of its beginning.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - longMovie: The number of samples make it long.
    ///   - least: The number of samples of a track a demuxer is shown at least.
    ///   - cancellation: Stops the reading.
    /// - Returns: The movie, of which only the beginning can be read, its index, and how many bytes were read; nil
    ///   where it is not long, or something is unusual.
    /// - Throws: ``MediaError`` if it is cancelled.
    static func fromTables(
        path: String,
        longMovie: Int = MovieIndex.longMovie,
        shown least: Int = ShortMovie.least,
        cancellation: Cancellation
    ) throws(MediaError) -> (input: MediaInput, index: FileIndex, bytesRead: Int64)? {
        do {
            let tables = try MovieTables(path: path)
            guard tables.sampleCount >= longMovie else { return nil }
            let short = try ShortMovie(tables, least: least)
            let input = try MediaInput(forIndexOf: path, patches: short.patches, cancellation: cancellation)
            guard isTrustworthy(input) else { return nil }
            var index = try IndexScan.run(input, readsContent: false, cancellation: cancellation)
            guard index.stoppedBy == nil, input.streams.filter(IndexScan.isWanted).count == index.streams.count else {
                return nil
            }
            var jobs: [Lengthening.Job] = []
            for stream in index.streams.values {
                guard let track = tables.tracks.first(where: { $0.id == stream.info.containerID }),
                    let shown = short.shown[track.id], !stream.isEncrypted, stream.extradataChanges.isEmpty
                else { return nil }
                if !shown.isAll { jobs.append(Lengthening.Job(stream: stream, track: track, shown: shown.count)) }
            }
            // The tracks side by side.
            let threads = ProcessInfo.processInfo.activeProcessorCount
            let longer = ValuesAhead(0..<jobs.count, threads: threads) { [jobs] number in
                Result { try jobs[number].run(path: path, cancellation: cancellation) }
            }
            var bytesRead = input.bytesRead + tables.reader.bytesRead
            for number in jobs.indices {
                let (stream, count) = try longer.value(number).get()
                index.streams[stream.info.index] = stream
                bytesRead += count
            }
            input.correct(index.streams.mapValues(\.info))
            return (input, index, bytesRead)
        } catch let error as MediaError {
            if error.isCancelled { throw error }
            return nil
        } catch {
            return nil
        }
    }
}

/// Adds to what a demuxer makes of a track's first samples what it would make of the others.
///
/// The rules are libav's: times are those of the tables but for an offset, which the first samples show; audio ends
/// with the frame that reaches the end of the part that is shown.
private struct Lengthening {
    /// A track that is to be made longer.
    struct Job: Sendable {
        /// What a demuxer makes of its beginning.
        var stream: StreamIndex
        var track: MovieTables.Track
        /// The number of samples the demuxer was shown.
        var shown: Int

        /// Makes it longer.
        ///
        /// - Returns: The whole, and how many bytes were read.
        /// - Throws: ``MovieTables/Unusual``, or ``MediaError`` if the file cannot be read or it is cancelled.
        func run(path: String, cancellation: Cancellation) throws -> (stream: StreamIndex, bytesRead: Int64) {
            let reader = try StretchReader(path: path)
            var lengthening = try Lengthening(stream, track: track, shown: shown, reader: reader)
            return (try lengthening.run(path: path, cancellation: cancellation), reader.bytesRead)
        }
    }

    private var stream: StreamIndex
    private let track: MovieTables.Track
    private let reader: StretchReader
    private let isVideo: Bool
    /// When the part that is shown ends; nil where all is.
    private let end: Int64?
    /// The packets that the demuxer gave, but for the last, which it takes for the track's last.
    private let given: ArraySlice<IndexedPacket>
    private var shift: Int64 = 0
    private var lateness: Int64 = 0
    /// How long frames last that are shown later than decoded: the demuxer says the same of all.
    private let duration: Int64
    /// The packet that was added last, before it is known whether more follow.
    private var held: IndexedPacket?
    private var lastPosition: Int64
    /// The latest times of frames in the order of decoding, sorted, and how many of them were shown after a later one:
    /// up to 16, as no decoder holds back more.
    private var latest: [Int64] = []
    private var depth = 0

    init(_ stream: StreamIndex, track: MovieTables.Track, shown: Int, reader: StretchReader) throws {
        self.stream = stream
        self.track = track
        self.reader = reader
        isVideo = stream.info.kind == .video
        end = track.edit.map { $0.start + $0.length }
        given = Array(stream.packets).dropLast()
        (duration, lastPosition) = (given.last?.duration ?? 0, given.last?.position ?? 0)
        guard stream.packets.count == shown, given.count >= 2, stream.info.timeBase == Rational(1, track.timescale)
        else { throw MovieTables.Unusual() }
        self.stream.packets = PacketList(given)
    }

    private mutating func run(path: String, cancellation: Cancellation) throws -> StreamIndex {
        var samples = MovieSamples(track, reader)
        var size: Int64 = 0
        var isOver = false
        while true {
            if !isOver, samples.number >= given.count, samples.number % PacketList.blockSize == 0,
                samples.count - samples.number > PacketList.blockSize
            {
                try cancellation.check("index", file: path)
                isOver = try addBlock(&samples, size: &size)
                continue
            }
            guard let sample = try samples.next() else { break }
            size += Int64(sample.size)
            let number = samples.number - 1
            if number % 8192 == 0 { try cancellation.check("index", file: path) }
            if number < given.count {
                try compare(sample, packet: given[number], number: number)
            } else if !isOver {
                isOver = try add(sample, isLast: samples.number == samples.count)
            }
        }
        // A track whose samples take no time at all has no times.
        guard samples.time > 0 else { throw MovieTables.Unusual() }
        guard stream.info.codec != "h264" || depth <= stream.info.reorderDelay, var last = held else {
            throw MovieTables.Unusual()
        }
        if track.offsets == nil {
            // The last packet lasts until the track ends.
            last.duration = track.shownLength(of: samples.time) - last.dts
            guard last.duration > 0 else { throw MovieTables.Unusual() }
        }
        append(last)
        stream.info = track.described(stream.info, size: size, length: samples.time)
        return stream
    }

    /// Learns from a sample what the demuxer makes of it.
    private mutating func compare(_ sample: MovieSamples.Sample, packet: IndexedPacket, number: Int) throws {
        guard packet.position == sample.position, packet.size == sample.size, packet.epoch == 0,
            packet.rawPTS == packet.pts, number == 0 || packet.isKey == sample.isKey
        else { throw MovieTables.Unusual() }
        reorder(sample.time + sample.offset)
        if number == given.count / 2 {
            (shift, lateness) = (packet.dts - sample.time, packet.pts - packet.dts - sample.offset)
        }
        guard number >= given.count / 2 else { return }
        let duration = track.offsets == nil ? sample.duration : duration
        guard packet.dts == sample.time + shift, packet.pts == packet.dts + lateness + sample.offset,
            !packet.isDiscarded, packet.duration == duration, end ?? .max > sample.time + sample.offset
        else { throw MovieTables.Unusual() }
    }

    /// Adds a sample; true where it is the last.
    private mutating func add(_ sample: MovieSamples.Sample, isLast: Bool) throws -> Bool {
        let time = sample.time + sample.offset
        reorder(time)
        let reachesEnd = end.map { time + sample.duration >= $0 } ?? false
        if let end {
            guard time < end, !isVideo || !reachesEnd || !sample.isKey || isLast else { throw MovieTables.Unusual() }
        }
        let dts = sample.time + shift
        let pts = dts + lateness + sample.offset
        if let held { append(held) }
        held = IndexedPacket(
            rawPTS: pts,
            pts: pts,
            dts: dts,
            duration: track.offsets == nil ? sample.duration : duration,
            position: sample.position,
            size: sample.size,
            fingerprint: 0,
            isKey: sample.isKey,
            isDiscarded: false,
            epoch: 0
        )
        return !isVideo && reachesEnd
    }

    /// Adds as many samples as a block of packets has, which are not the last; true where none of the others counts.
    private mutating func addBlock(_ samples: inout MovieSamples, size: inout Int64) throws -> Bool {
        let count = PacketList.blockSize
        return try withUnsafeTemporaryAllocation(of: Int64.self, capacity: 8 * count) { numbers in
            let even = try samples.nextBlock(into: numbers)
            for row in 0..<count { size += numbers[PacketList.Field.size * count + row] }
            guard isFarFromEnd(numbers) else {
                for row in 0..<count where try add(MovieSamples.Sample(row, of: numbers), isLast: false) { return true }
                return false
            }
            if let held { append(held) }
            held = nil
            pack(numbers, even)
            return false
        }
    }

    /// True if a block of samples ends before the part that is shown does.
    private func isFarFromEnd(_ numbers: UnsafeMutableBufferPointer<Int64>) -> Bool {
        guard let end else { return true }
        return (0..<PacketList.blockSize).allSatisfy { row in
            let sample = MovieSamples.Sample(row, of: numbers)
            return sample.time + sample.offset + sample.duration < end
        }
    }

    /// Makes packets of a block of samples, all of which are shown.
    private mutating func pack(_ numbers: UnsafeMutableBufferPointer<Int64>, _ samples: PacketList.Even) {
        let (count, times) = (PacketList.blockSize, PacketList.Field.decodeTime * PacketList.blockSize)
        let step = PacketList.step(from: numbers[times], to: numbers[times + count - 1])
        var even = samples
        for row in 0..<count {
            let position = numbers[PacketList.Field.position * count + row]
            if position < lastPosition { stream.hasAscendingPositions = false }
            lastPosition = position
            if track.offsets != nil { reorder(numbers[times + row] + numbers[PacketList.Field.lateness * count + row]) }
            numbers[times + row] += shift - Int64(row) * step
            numbers[PacketList.Field.lateness * count + row] += lateness
        }
        if track.offsets != nil {
            numbers[PacketList.Field.duration * count] = duration
            even[PacketList.Field.duration] = true
        }
        for field in [PacketList.Field.rawLateness, PacketList.Field.fingerprint] {
            numbers[field * count] = 0
            even[field] = true
        }
        stream.packets.pack(UnsafeBufferPointer(numbers), step: step, even: even)
    }

    private mutating func append(_ packet: IndexedPacket) {
        if packet.position < lastPosition { stream.hasAscendingPositions = false }
        lastPosition = packet.position
        stream.packets.append(packet)
    }

    /// Counts how many frames a decoder has to hold back, which libav learns from all of a track's times.
    private mutating func reorder(_ time: Int64) {
        guard isVideo, track.offsets != nil else { return }
        if let last = latest.last, last > time {
            let place = latest.partitioningIndex { $0 > time }
            depth = max(depth, min(16, latest.count - place))
            latest.insert(time, at: place)
        } else {
            latest.append(time)
        }
        // Those that were shown long ago go now and then, all at once.
        if latest.count == 64 { latest.removeFirst(48) }
    }
}
