/// Writes segments of fragmented MP4 (ISO/IEC 14496-12): one movie fragment, then its samples.
enum FragmentWriter {
    /// A segment with the given tracks, which have the IDs 1, 2 … of the init segment.
    static func segment(number: Int, tracks: [TrackSamples]) -> [UInt8] {
        let header = 8 + 16 + tracks.reduce(0) { $0 + trackSize($1) }
        let contents = tracks.map(\.byteCount)
        let content = contents.reduce(0, +)
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
            var data = header + 8
            for (place, track) in tracks.enumerated() {
                append(track, id: UInt32(place + 1), dataOffset: UInt32(truncatingIfNeeded: data), to: &output)
                data += contents[place]
            }
            output.appendBigEndian(UInt32(truncatingIfNeeded: content + 8))
            output.append(name: "mdat")
            for track in tracks {
                for sample in track.samples { sample.payload.withBytes { output.append($0) } }
            }
        }
    }

    private static func runSize(_ track: TrackSamples) -> Int { 20 + 16 * track.samples.count }

    private static func trackSize(_ track: TrackSamples) -> Int { 8 + 16 + 20 + runSize(track) }

    private static func append(_ track: TrackSamples, id: UInt32, dataOffset: UInt32, to output: inout ByteWriter) {
        output.appendBigEndian(UInt32(trackSize(track)))
        output.append(name: "traf")
        output.appendBigEndian(UInt32(16))
        output.append(name: "tfhd")
        output.appendBigEndian(UInt32(0x020000))  // default-base-is-moof
        output.appendBigEndian(id)
        output.appendBigEndian(UInt32(20))
        output.append(name: "tfdt")
        output.appendBigEndian(UInt32(0x0100_0000))
        output.appendBigEndian(UInt64(max(0, track.samples.first?.dts ?? track.start)))
        output.appendBigEndian(UInt32(runSize(track)))
        output.append(name: "trun")
        // Version 1 (signed composition offsets); data offset, and for each sample duration, size, flags and offset.
        output.appendBigEndian(UInt32(0x0100_0f01))
        output.appendBigEndian(UInt32(track.samples.count))
        output.appendBigEndian(dataOffset)
        for sample in track.samples {
            output.appendBigEndian(UInt32(clamping: sample.duration))
            output.appendBigEndian(UInt32(sample.payload.count))
            output.appendBigEndian(UInt32(sample.isKey ? 0x0200_0000 : 0x0101_0000))
            output.appendBigEndian(Int32(clamping: sample.pts - sample.dts))
        }
    }
}
