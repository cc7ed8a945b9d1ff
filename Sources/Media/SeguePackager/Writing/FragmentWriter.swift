internal import SegueBase

/// A writer of fragmented MP4 segments (ISO/IEC 14496-12): one movie fragment, then its samples.
///
/// The tracks are interleaved every half second, so a sequential reader gets video and audio together. FFmpeg mistakes
/// audio stored ten seconds after its video for a jump of the source, and plays it that much too late.
enum FragmentWriter {
    /// The number of runs per second.
    private static let runsPerSecond: Int64 = 2
    /// The size of a track's box without runs, in bytes.
    private static let trackHeader = 8 + 16 + 20
    /// The size of a run without rows, in bytes.
    private static let runHeader = 20
    /// The size of a sample's row, in bytes.
    private static let row = 16

    /// A track's decode times, with their unit.
    struct Times {
        var dts: [Int64]
        var timescale: Int64

        /// The number of runs.
        fileprivate var runs: Int {
            var turn: Int64?
            let count = dts.reduce(0) { count, time in
                let next = (time * runsPerSecond).quotientRoundedDown(by: timescale)
                if let turn, turn >= next { return count }
                turn = next
                return count + 1
            }
            return max(1, count)
        }
    }

    /// The size of a segment with `content` bytes of samples.
    static func size(_ tracks: [Times], content: Int) -> Int {
        24 + headerSize(tracks.map { trackHeader + runHeader * $0.runs + row * $0.dts.count }) + 8 + content
    }

    /// The size of a movie fragment's header for tracks of the given sizes.
    private static func headerSize(_ tracks: [Int]) -> Int { 8 + 16 + tracks.reduce(0, +) }

    /// Writes a segment with the given tracks, which have the IDs 1, 2, … of the init segment.
    static func segment(number: Int, tracks: [TrackSamples]) -> [UInt8] {
        var layout = Layout(tracks)
        let header = headerSize(layout.tracks.map(\.size))
        layout.place(from: header + 8)
        let content = layout.size
        return ByteWriter.bytes(capacity: 24 + header + 8 + content) { output in
            output.appendBigEndian(UInt32(24))
            output.append(name: "stypmsdh")
            output.appendBigEndian(UInt32(0))
            output.append(name: "msdhiso6")
            output.appendBigEndian(UInt32(header))
            output.append(name: "moof")
            output.appendBigEndian(UInt32(16))
            output.append(name: "mfhd")
            output.appendBigEndian(UInt32(0))
            output.appendBigEndian(UInt32(truncatingIfNeeded: number + 1))
            for (place, track) in layout.tracks.enumerated() {
                append(track, of: tracks[place], id: UInt32(place + 1), to: &output)
            }
            output.appendBigEndian(UInt32(truncatingIfNeeded: content + 8))
            output.append(name: "mdat")
            for run in layout.order {
                for sample in tracks[run.track].samples[layout.tracks[run.track].runs[run.number].samples] {
                    sample.payload.withBytes { output.append($0) }
                }
            }
        }
    }

    private static func append(
        _ layout: TrackLayout,
        of track: TrackSamples,
        id: UInt32,
        to output: inout ByteWriter
    ) {
        output.appendBigEndian(UInt32(layout.size))
        output.append(name: "traf")
        output.appendBigEndian(UInt32(16))
        output.append(name: "tfhd")
        output.appendBigEndian(UInt32(0x020000))  // default-base-is-moof
        output.appendBigEndian(id)
        output.appendBigEndian(UInt32(20))
        output.append(name: "tfdt")
        output.appendBigEndian(UInt32(0x0100_0000))
        output.appendBigEndian(UInt64(max(0, track.samples.first?.dts ?? track.start)))
        for run in layout.runs {
            output.appendBigEndian(UInt32(run.headerSize))
            output.append(name: "trun")
            // Version 1 (signed composition offsets); data offset, and for each sample duration, size, flags, and
            // offset.
            output.appendBigEndian(UInt32(0x0100_0f01))
            output.appendBigEndian(UInt32(run.samples.count))
            output.appendBigEndian(UInt32(truncatingIfNeeded: run.offset))
            for sample in track.samples[run.samples] {
                output.appendBigEndian(UInt32(clamping: sample.duration))
                output.appendBigEndian(UInt32(sample.payload.count))
                output.appendBigEndian(UInt32(sample.isKey ? 0x0200_0000 : 0x0101_0000))
                output.appendBigEndian(Int32(clamping: sample.pts - sample.dts))
            }
        }
    }

    /// Contiguous samples of one track.
    private struct Run {
        var samples: Range<Int>
        /// The half second of their decode times, counted from time 0.
        var turn: Int64
        /// The size, in bytes.
        var size: Int
        /// The offset from the fragment's start.
        var offset = 0

        var headerSize: Int { runHeader + row * samples.count }
    }

    private struct TrackLayout {
        var runs: [Run]

        /// The size of the track's box, in bytes.
        var size: Int { trackHeader + runs.reduce(0) { $0 + $1.headerSize } }

        init(_ track: TrackSamples) {
            runs = []
            for (place, sample) in track.samples.enumerated() {
                let turn = (sample.dts * runsPerSecond).quotientRoundedDown(by: track.timescale)
                if let last = runs.last, last.turn >= turn {
                    runs[runs.count - 1].samples = last.samples.lowerBound..<place + 1
                    runs[runs.count - 1].size += sample.payload.count
                } else {
                    runs.append(Run(samples: place..<place + 1, turn: turn, size: sample.payload.count))
                }
            }
            if runs.isEmpty { runs = [Run(samples: 0..<0, turn: 0, size: 0)] }
        }
    }

    /// The layout of a segment.
    private struct Layout {
        var tracks: [TrackLayout]
        /// All runs in byte order.
        var order: [(track: Int, number: Int)]

        init(_ samples: [TrackSamples]) {
            let tracks = samples.map { TrackLayout($0) }
            self.tracks = tracks
            order = tracks.indices.flatMap { track in tracks[track].runs.indices.map { (track, $0) } }
            order.sort { left, right in
                (tracks[left.track].runs[left.number].turn, left.track, left.number)
                    < (tracks[right.track].runs[right.number].turn, right.track, right.number)
            }
        }

        /// The total size of the samples, in bytes.
        var size: Int { tracks.reduce(0) { $0 + $1.runs.reduce(0) { $0 + $1.size } } }

        mutating func place(from start: Int) {
            var offset = start
            for run in order {
                tracks[run.track].runs[run.number].offset = offset
                offset += tracks[run.track].runs[run.number].size
            }
        }
    }
}
