/// Writes segments of fragmented MP4 (ISO/IEC 14496-12): one movie fragment, then its samples.
enum FragmentWriter {
    /// A segment with the given tracks, which have the IDs 1, 2 … of the init segment.
    static func segment(number: Int, tracks: [TrackSamples]) -> [UInt8] {
        let header = 8 + 16 + tracks.reduce(0) { $0 + trackSize($1) }
        let content = tracks.reduce(0) { $0 + $1.samples.reduce(0) { $0 + $1.bytes.count } }
        var output: [UInt8] = []
        output.reserveCapacity(24 + header + 8 + content)
        output.appendBigEndian(UInt32(24))
        output.append(contentsOf: Array("stypmsdh".utf8))
        output.appendBigEndian(UInt32(0))
        output.append(contentsOf: Array("msdhiso6".utf8))
        output.appendBigEndian(UInt32(header))
        output.append(contentsOf: Array("moof".utf8))
        output.appendBigEndian(UInt32(16))
        output.append(contentsOf: Array("mfhd".utf8))
        output.appendBigEndian(UInt32(0))
        output.appendBigEndian(UInt32(truncatingIfNeeded: number + 1))
        var data = header + 8
        for (place, track) in tracks.enumerated() {
            appendTrack(track, id: UInt32(place + 1), dataOffset: UInt32(truncatingIfNeeded: data), to: &output)
            data += track.samples.reduce(0) { $0 + $1.bytes.count }
        }
        output.appendBigEndian(UInt32(truncatingIfNeeded: content + 8))
        output.append(contentsOf: Array("mdat".utf8))
        for track in tracks { for sample in track.samples { output.append(contentsOf: sample.bytes) } }
        return output
    }

    private static func runSize(_ track: TrackSamples) -> Int { 20 + 16 * track.samples.count }

    private static func trackSize(_ track: TrackSamples) -> Int { 8 + 16 + 20 + runSize(track) }

    private static func appendTrack(_ track: TrackSamples, id: UInt32, dataOffset: UInt32, to output: inout [UInt8]) {
        output.appendBigEndian(UInt32(trackSize(track)))
        output.append(contentsOf: Array("traf".utf8))
        output.appendBigEndian(UInt32(16))
        output.append(contentsOf: Array("tfhd".utf8))
        output.appendBigEndian(UInt32(0x020000))  // default-base-is-moof
        output.appendBigEndian(id)
        output.appendBigEndian(UInt32(20))
        output.append(contentsOf: Array("tfdt".utf8))
        output.appendBigEndian(UInt32(0x0100_0000))
        output.appendBigEndian(UInt64(max(0, track.samples.first?.dts ?? track.start)))
        output.appendBigEndian(UInt32(runSize(track)))
        output.append(contentsOf: Array("trun".utf8))
        // Version 1 (signed composition offsets); data offset, and for each sample duration, size, flags and offset.
        output.appendBigEndian(UInt32(0x0100_0f01))
        output.appendBigEndian(UInt32(track.samples.count))
        output.appendBigEndian(dataOffset)
        for sample in track.samples {
            output.appendBigEndian(UInt32(clamping: sample.duration))
            output.appendBigEndian(UInt32(sample.bytes.count))
            output.appendBigEndian(UInt32(sample.isKey ? 0x0200_0000 : 0x0101_0000))
            output.appendBigEndian(UInt32(bitPattern: Int32(clamping: sample.pts - sample.dts)))
        }
    }
}
