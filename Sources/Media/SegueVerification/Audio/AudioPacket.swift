internal import SegueBase
internal import SegueFFmpeg
internal import SeguePackager

/// A packet of coded audio, as far as it is compared.
struct AudioPacket: Equatable {
    /// The checksum of its content.
    var checksum: UInt64
    /// When it is due, in seconds; nil where the container does not say.
    var time: Double?
    /// The number of samples it decodes to; 0 where that is not known.
    var samples = 0
    /// How long it lasts, in seconds.
    var length = 0.0
    /// True if the container has it decoded for others only, and not heard.
    var isHidden = false
    /// Samples that a decoder drops from this packet on.
    var skippedAtStart = 0
    /// Samples that a decoder drops at its end.
    var skippedAtEnd = 0
}

extension AudioPacket {
    /// What there is to compare of a packet.
    init(_ packet: Packet, _ stream: StreamInfo) {
        let skipped = packet.skippedSamples
        let unit = stream.timeBase.seconds
        let samples = Self.samples(packet, stream)
        let frame = Double(samples) / Double(max(stream.sampleRate, 1))
        let said = Double(packet.duration) * unit
        self.init(
            checksum: CodedFrame.checksum(ofSound: packet, stream),
            time: packet.pts.map { (Rational($0) * stream.timeBase).seconds },
            samples: samples,
            length: Self.length(said: said, frame: frame, unit: unit),
            isHidden: packet.isDiscarded,
            skippedAtStart: skipped?.start ?? 0,
            skippedAtEnd: skipped?.end ?? 0
        )
    }

    /// How long a packet lasts, in seconds.
    ///
    /// What a container says is rounded to its unit, and in a movie it is only when the next packet is due; what the
    /// samples take is exact. A packet may hold several frames.
    ///
    /// - Parameters:
    ///   - said: What the container says; 0 where it does not.
    ///   - frame: What the samples of a frame take; 0 where that is not known.
    ///   - unit: The unit in which the container says it.
    /// - Returns: The length of as many frames as fit what is said, or of one.
    static func length(said: Double, frame: Double, unit: Double) -> Double {
        guard frame > 0 else { return said }
        let frames = (said / frame).rounded()
        return frames >= 1 && abs(said - frames * frame) <= unit ? frames * frame : frame
    }

    /// The number of samples a packet decodes to; 0 where neither the container nor the packet says.
    private static func samples(_ packet: Packet, _ stream: StreamInfo) -> Int {
        guard stream.frameSize <= 0, ["ac3", "eac3"].contains(stream.codec) else { return stream.frameSize }
        return packet.withBytes { AC3Header($0)?.samples } ?? 0
    }

    /// The packet as a frame, to be compared as frames are.
    var picture: VideoComparator.Picture {
        VideoComparator.Picture(checksum: checksum, time: time, isKey: true, isHidden: isHidden)
    }
}
