/// The PES packets of a track's samples (ISO/IEC 13818-1, 2.4.3.6).
struct ElementaryUnits {
    /// A PES packet; times are in units of 90 kHz.
    struct Unit {
        var streamID: UInt8
        var pts: Int64
        var dts: Int64
        var isKey: Bool
        /// The duration of its audio; 0 for video.
        var span: Int64 = 0
        var samples: Range<Int>
        /// The payload size, in bytes.
        var size: Int
        /// The range in ``ElementaryUnits/slices`` of a video frame.
        var slices = 0..<0
        /// True if parameter sets are inserted before a video frame.
        var needsParameterSets = false
    }

    /// The maximum size of a PES header, in bytes.
    static let greatestHeader = 19
    static let startCode: [UInt8] = [0, 0, 0, 1]
    /// An H.264 access unit delimiter with its start code.
    static let delimiter: [UInt8] = [0, 0, 0, 1, 9, 0xf0]

    /// The PES packets, in decode order.
    private(set) var units: [Unit] = []
    /// The delivered H.264 units in their samples, frame by frame.
    private(set) var slices: [Range<Int>] = []

    /// Creates the PES packets of a track.
    init(_ track: TrackSamples) {
        let ticks = { (time: Int64) -> Int64 in Self.ticks(time, track.timescale) }
        var expected: Int64?
        for (place, sample) in track.samples.enumerated() {
            let isNext = expected == sample.dts
            expected = sample.dts + sample.duration
            switch track.format {
            case .h264(let configuration):
                // Times closer than the transport stream clock's resolution still increase.
                let dts = max(ticks(sample.dts), units.last.map { $0.dts + 1 } ?? .min)
                var unit = Unit(
                    streamID: 0xe0,
                    pts: max(ticks(sample.pts), dts),
                    dts: dts,
                    isKey: sample.isKey,
                    samples: place..<place + 1,
                    size: 0
                )
                sample.payload.withBytes { addFrame($0, configuration: configuration, unit: &unit) }
                units.append(unit)
            // These codecs require fragmented MP4.
            case .hevc, .flac, .alac, .opus: break
            case .aac:
                addAudio(
                    sample,
                    place: place,
                    size: 7 + sample.payload.count,
                    isNext: isNext,
                    streamID: 0xc0,
                    ticks: ticks
                )
            case .mp3:
                addAudio(sample, place: place, size: sample.payload.count, isNext: isNext, streamID: 0xc0, ticks: ticks)
            case .ac3, .eac3:
                addAudio(sample, place: place, size: sample.payload.count, isNext: isNext, streamID: 0xbd, ticks: ticks)
            }
        }
    }

    /// Converts a time to units of 90 kHz.
    static func ticks(_ time: Int64, _ scale: Int64) -> Int64 {
        Int64(clamping: (Int128(time) * 90000 + Int128(scale) / 2) / Int128(scale))
    }

    /// Appends a frame with start codes, a delimiter, and, before keyframes without them, parameter sets.
    private mutating func addFrame(
        _ bytes: UnsafeRawBufferPointer,
        configuration: VideoConfiguration,
        unit: inout Unit
    ) {
        let first = slices.count
        var hasParameterSets = false
        unit.size = ElementaryUnits.delimiter.count
        for slice in configuration.units(of: bytes) {
            let type = bytes[slice.lowerBound] & 31
            if type == 7 { hasParameterSets = true }
            guard type != 9 else { continue }
            slices.append(slice)
            unit.size += ElementaryUnits.startCode.count + slice.count
        }
        unit.slices = first..<slices.count
        guard unit.isKey, !hasParameterSets else { return }
        unit.needsParameterSets = true
        for set in configuration.parameterSets { unit.size += ElementaryUnits.startCode.count + set.count }
    }

    private mutating func addAudio(
        _ sample: MediaSample,
        place: Int,
        size: Int,
        isNext: Bool,
        streamID: UInt8,
        ticks: (Int64) -> Int64
    ) {
        let end = ticks(sample.pts + sample.duration)
        if isNext, let last = units.last, last.size + sample.payload.count < TransportWriter.greatestAudioPES,
            end - last.pts < TransportWriter.longestAudioPES
        {
            units[units.count - 1].size += size
            units[units.count - 1].span = end - last.pts
            units[units.count - 1].samples = last.samples.lowerBound..<place + 1
            return
        }
        let time = ticks(sample.pts)
        var unit = Unit(streamID: streamID, pts: time, dts: time, isKey: true, samples: place..<place + 1, size: size)
        unit.span = end - time
        units.append(unit)
    }
}

extension ElementaryUnits.Unit {
    /// Replaces an array's content with the PES header.
    func writeHeader(to header: inout [UInt8]) {
        let hasDTS = dts != pts
        let length = size + 3 + (hasDTS ? 10 : 5)
        header.removeAll(keepingCapacity: true)
        header.append(0)
        header.append(0)
        header.append(1)
        header.append(streamID)
        header.appendBigEndian(UInt16(streamID == 0xe0 || length > 0xffff ? 0 : length))
        header.append(0x84)
        header.append(hasDTS ? 0xc0 : 0x80)
        header.append(hasDTS ? 10 : 5)
        Self.append(pts, mark: hasDTS ? 3 : 2, to: &header)
        if hasDTS { Self.append(dts, mark: 1, to: &header) }
    }

    private static func append(_ time: Int64, mark: UInt8, to output: inout [UInt8]) {
        let time = UInt64(bitPattern: time) & 0x1_ffff_ffff
        output.append(mark << 4 | UInt8(time >> 30 & 7) << 1 | 1)
        output.appendBigEndian(UInt16(time >> 15 & 0x7fff) << 1 | 1)
        output.appendBigEndian(UInt16(time & 0x7fff) << 1 | 1)
    }
}
