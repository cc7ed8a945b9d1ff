internal import SegueFFmpeg

/// Patches that show a demuxer only the beginning of a long movie, by reducing its table counts.
///
/// The demuxer probes the tracks without loading tables that grow with the movie's length.
struct ShortMovie {
    /// The number of visible samples of a track.
    struct Shown: Equatable {
        var count: Int
        /// True if all samples are visible.
        var isAll: Bool
    }

    private(set) var patches: [FilePatch] = []
    /// The visible samples by track ID.
    private(set) var shown: [Int: Shown] = [:]

    /// The minimum number of visible samples per track.
    static let least = 256
    /// The maximum number, unless a chunk is larger.
    private static let most = 8192

    /// Shortens a movie; throws ``MovieTables/Unusual`` if its tables do not allow it.
    init(_ tables: MovieTables, least: Int = ShortMovie.least) throws {
        for track in tables.tracks {
            guard shown[track.id] == nil else { throw MovieTables.Unusual() }
            shown[track.id] = try cut(track, tables.reader, least: least)
        }
    }

    private mutating func cut(_ track: MovieTables.Track, _ reader: StretchReader, least: Int) throws -> Shown {
        var samples = MovieSamples(track, reader)
        while let sample = try samples.next() {
            guard samples.number >= least, sample.time >= (track.edit?.start ?? 0) + track.timescale,
                track.keys == nil || samples.keyCount > 0
            else { continue }
            if samples.number == samples.count { break }
            let isWhole = samples.chunk.left == 0
            guard isWhole && hasSameRate(track, samples: samples, reader: reader) || samples.number >= ShortMovie.most
            else { continue }
            // Within a chunk, only the first chunk is cut.
            guard isWhole || samples.chunk.begun == 1,
                hasSameRate(track, samples: samples, reader: reader)
            else { throw MovieTables.Unusual() }
            if !isWhole { put(UInt32(samples.number), at: track.runs.start + 4) }
            put(UInt32(samples.number), at: track.sizes.countPlace)
            put(UInt32(samples.chunk.begun), at: track.chunks.countPlace)
            put(UInt32(samples.chunk.run + 1), at: track.runs.countPlace)
            if let keys = track.keys { put(UInt32(samples.keyCount), at: keys.countPlace) }
            try cut(track.durations, to: samples.begunDurations, reader)
            if let offsets = track.offsets, let begun = samples.begunOffsets { try cut(offsets, to: begun, reader) }
            return Shown(count: samples.number, isAll: false)
        }
        return Shown(count: samples.count, isAll: true)
    }

    /// True if the visible durations look as regular to a demuxer as all of them.
    ///
    /// libav calls a track regular if all samples, or all but the last, share one duration.
    private func hasSameRate(_ track: MovieTables.Track, samples: MovieSamples, reader: StretchReader) -> Bool {
        let count = track.durations.count
        if samples.begunDurations.entries > 2 { return count > 2 }
        let isRegular = count == 1 || count == 2 && (try? entry(1, of: track.durations, reader)) == 1
        return isRegular == (samples.begunDurations.entries == 1)
    }

    private func entry(_ number: Int, of table: MovieTables.Table, _ reader: StretchReader) throws -> UInt32 {
        try reader.words(at: table.start + Int64(4 * table.width * number), count: 1)[0]
    }

    private mutating func cut(
        _ table: MovieTables.Table,
        to begun: (entries: Int, left: Int),
        _ reader: StretchReader
    ) throws {
        put(UInt32(begun.entries), at: table.countPlace)
        let last = try entry(begun.entries - 1, of: table, reader)
        put(last - UInt32(begun.left), at: table.start + Int64(4 * table.width * (begun.entries - 1)))
    }

    private mutating func put(_ number: UInt32, at position: Int64) {
        patches.append(FilePatch(position: position, number: number))
    }
}
