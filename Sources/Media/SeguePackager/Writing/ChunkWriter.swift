/// One track's samples in a chunk.
struct ChunkTrack {
    var number: Int
    /// The decode time of the first sample, also without samples, in track units.
    var time: Int64
    var samples: ArraySlice<ReadFragment.Sample>

    /// The size of the samples, in bytes.
    var count: Int { samples.reduce(0) { $0 + $1.bytes.count } }
}

/// A writer of chunks: a movie fragment with one run per track, then the samples.
enum ChunkWriter {
    private static let trackHeader = 8 + 16 + 20 + 20
    private static let row = 16

    private static func headerSize(_ tracks: [ChunkTrack]) -> Int {
        8 + 16 + tracks.reduce(0) { $0 + trackHeader + row * $1.samples.count }
    }

    /// The size of a chunk, in bytes.
    static func size(_ tracks: [ChunkTrack]) -> Int { headerSize(tracks) + 8 + tracks.reduce(0) { $0 + $1.count } }

    static func write(_ tracks: [ChunkTrack], of segment: [UInt8], sequence: Int, to output: inout ByteWriter) {
        let header = headerSize(tracks)
        output.appendBigEndian(UInt32(truncatingIfNeeded: header))
        output.append(name: "moof")
        output.appendBigEndian(UInt32(16))
        output.append(name: "mfhd")
        output.appendBigEndian(UInt32(0))
        output.appendBigEndian(UInt32(truncatingIfNeeded: sequence))
        var offset = header + 8
        for track in tracks {
            append(track, offset: offset, to: &output)
            offset += track.count
        }
        output.appendBigEndian(UInt32(truncatingIfNeeded: offset - header))
        output.append(name: "mdat")
        segment.withUnsafeBytes { bytes in
            for sample in tracks.flatMap(\.samples) {
                output.append(UnsafeRawBufferPointer(rebasing: bytes[sample.bytes]))
            }
        }
    }

    private static func append(_ track: ChunkTrack, offset: Int, to output: inout ByteWriter) {
        let run = 20 + row * track.samples.count
        output.appendBigEndian(UInt32(truncatingIfNeeded: 8 + 16 + 20 + run))
        output.append(name: "traf")
        output.appendBigEndian(UInt32(16))
        output.append(name: "tfhd")
        output.appendBigEndian(UInt32(0x020000))  // default-base-is-moof
        output.appendBigEndian(UInt32(truncatingIfNeeded: track.number))
        output.appendBigEndian(UInt32(20))
        output.append(name: "tfdt")
        output.appendBigEndian(UInt32(0x0100_0000))
        output.appendBigEndian(UInt64(max(0, track.time)))
        output.appendBigEndian(UInt32(truncatingIfNeeded: run))
        output.append(name: "trun")
        output.appendBigEndian(UInt32(0x0100_0f01))
        output.appendBigEndian(UInt32(truncatingIfNeeded: track.samples.count))
        output.appendBigEndian(UInt32(truncatingIfNeeded: offset))
        for sample in track.samples {
            output.appendBigEndian(sample.duration)
            output.appendBigEndian(UInt32(truncatingIfNeeded: sample.bytes.count))
            output.appendBigEndian(sample.flags)
            output.appendBigEndian(sample.offset)
        }
    }
}
