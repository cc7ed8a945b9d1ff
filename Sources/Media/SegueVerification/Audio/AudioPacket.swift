internal import SegueBase
internal import SegueFFmpeg
internal import SeguePackager

/// The compared properties of an audio packet.
struct AudioPacket: Equatable {
    /// The checksum of the content.
    var checksum: UInt64
    /// The presentation time in seconds; nil if the container has none.
    var time: Double?
    /// The number of decoded samples; 0 if unknown.
    var samples = 0
    /// The duration, in seconds.
    var length = 0.0
    /// True if the container declares it as needed only for decoding.
    var isHidden = false
    /// The number of samples a decoder discards from the packet on.
    var skippedAtStart = 0
    /// The number of samples a decoder discards at its end.
    var skippedAtEnd = 0
}

extension AudioPacket {
    init(_ packet: Packet, _ stream: StreamInfo) {
        let skipped = packet.skippedSamples
        let unit = stream.timeBase.seconds
        let samples = Self.samples(packet, stream)
        let frame = Double(samples) / Double(max(stream.sampleRate, 1))
        let said = Double(packet.duration) * unit
        self.init(
            checksum: CodedFrame.checksum(ofAudio: packet, stream),
            time: packet.pts.map { (Rational($0) * stream.timeBase).seconds },
            samples: samples,
            length: Self.length(said: said, frame: frame, unit: unit),
            isHidden: packet.isDiscarded,
            skippedAtStart: skipped?.start ?? 0,
            skippedAtEnd: skipped?.end ?? 0
        )
    }

    /// The exact duration of a packet, in seconds.
    ///
    /// The container's duration is rounded, and in a movie it is only the distance to the next packet; the sample count
    /// is exact. The result is the multiple of `frame` nearest to the declared duration, and at least one frame.
    static func length(said: Double, frame: Double, unit: Double) -> Double {
        guard frame > 0 else { return said }
        let frames = (said / frame).rounded()
        return frames >= 1 && abs(said - frames * frame) <= unit ? frames * frame : frame
    }

    /// The number of decoded samples; 0 if neither the container nor the packet declares it.
    private static func samples(_ packet: Packet, _ stream: StreamInfo) -> Int {
        guard stream.frameSize <= 0, ["ac3", "eac3"].contains(stream.codec) else { return stream.frameSize }
        return packet.withBytes { AC3Header($0)?.samples } ?? 0
    }

    /// The packet as a frame, for comparison.
    var frame: VideoComparator.Frame {
        VideoComparator.Frame(checksum: checksum, time: time, isKey: true, isHidden: isHidden)
    }
}
