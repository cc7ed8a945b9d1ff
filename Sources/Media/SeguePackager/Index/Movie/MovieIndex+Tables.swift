internal import Foundation
internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

extension MovieIndex {
    /// The number of samples from which a movie is indexed by its tables.
    static let longMovie = 20_000

    /// Indexes a long movie by its sample tables, calibrated against a demuxer's reading of its beginning.
    ///
    /// Returns nil if the movie is short or has an unsupported feature. Only the beginning of the returned movie can be
    /// read.
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
            // Tracks are processed in parallel.
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

/// Extends a demuxer's packets of a track's first samples to the whole track.
///
/// The rules are libav's: times are those of the tables plus an offset found from the first samples; audio ends with
/// the frame that reaches the end of the displayed part.
private struct Lengthening {
    /// A track to extend.
    struct Job: Sendable {
        /// The demuxer's reading of the beginning.
        var stream: StreamIndex
        var track: MovieTables.Track
        /// The number of samples shown to the demuxer.
        var shown: Int

        /// Extends the track; returns the stream and the number of bytes read.
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
    /// The end of the displayed part; nil if all is displayed.
    private let end: Int64?
    /// The demuxer's packets without the last, which the demuxer treats as the track's last.
    private let given: ArraySlice<IndexedPacket>
    private var shift: Int64 = 0
    private var lateness: Int64 = 0
    /// The duration of reordered frames, for which the demuxer uses one value.
    private let duration: Int64
    /// The last packet, held until it is known whether more follow.
    private var held: IndexedPacket?
    private var lastPosition: Int64
    /// The latest presentation times in decode order, sorted, with the number shown after a later one: up to 16, the
    /// maximum reorder delay.
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
        // A track of zero duration has no times.
        guard samples.time > 0 else { throw MovieTables.Unusual() }
        guard stream.info.codec != "h264" || depth <= stream.info.reorderDelay, var last = held else {
            throw MovieTables.Unusual()
        }
        if track.offsets == nil {
            // The last packet extends to the end of the track.
            last.duration = track.shownLength(of: samples.time) - last.dts
            guard last.duration > 0 else { throw MovieTables.Unusual() }
        }
        append(last)
        stream.info = track.described(stream.info, size: size, length: samples.time)
        return stream
    }

    /// Calibrates against the demuxer's packet of a sample.
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

    /// Adds a block of samples that excludes the last; returns true if no more samples count.
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

    /// True if a block of samples ends before the displayed part.
    private func isFarFromEnd(_ numbers: UnsafeMutableBufferPointer<Int64>) -> Bool {
        guard let end else { return true }
        return (0..<PacketList.blockSize).allSatisfy { row in
            let sample = MovieSamples.Sample(row, of: numbers)
            return sample.time + sample.offset + sample.duration < end
        }
    }

    /// Packs a block of displayed samples into packets.
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

    /// Updates the reorder delay, which libav derives from all times of a track.
    private mutating func reorder(_ time: Int64) {
        guard isVideo, track.offsets != nil else { return }
        if let last = latest.last, last > time {
            let place = latest.partitioningIndex { $0 > time }
            depth = max(depth, min(16, latest.count - place))
            latest.insert(time, at: place)
        } else {
            latest.append(time)
        }
        // Old entries are removed in bulk.
        if latest.count == 64 { latest.removeFirst(48) }
    }
}
