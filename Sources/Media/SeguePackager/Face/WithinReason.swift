internal import SegueBase
internal import SegueFFmpeg

/// Numbers that no arithmetic with them overflows.
///
/// What goes beyond is not refused: it is left to the process that has read it from the file, and may end at it.
private enum WithinReason {
    /// Times in a stream's units.
    static let times: ClosedRange<Int64> = -(1 << 44)...1 << 44
    /// Units of a stream that a track's unit is made of, and samples per second.
    static let rates: ClosedRange<Int64> = 1...1 << 17
    /// Samples that are dropped at an end of a packet.
    static let skips = 0...1 << 31
    /// Seconds.
    static let seconds = Rational(-1 << 26)...Rational(1 << 26)
    /// Segments.
    static let segments = 1...1 << 20
}

extension SegmentPlan {
    /// True if all its times are such as a file can have.
    var isWithinReason: Bool {
        WithinReason.segments.contains(segments.count)
            && [origin, timestampOffset].allSatisfy(WithinReason.seconds.contains)
            && segments.enumerated().allSatisfy { number, segment in
                segment.number == number && WithinReason.seconds.contains(segment.start)
                    && WithinReason.seconds.contains(segment.duration) && segment.duration >= .zero
            }
            && zip(segments, segments.dropFirst()).allSatisfy { $0.start <= $1.start }
    }
}

extension StreamIndex {
    /// True if all its numbers are such as a file of a size can have.
    func isWithinReason(_ size: Int64) -> Bool {
        let base = info.timeBase
        guard base > .zero, base.numerator <= WithinReason.rates.upperBound,
            WithinReason.rates.contains((base * Rational(VideoTrack.timescale(for: base))).numerator),
            info.kind != .audio || WithinReason.rates.upperBound >= Int64(info.sampleRate),
            skips.values.allSatisfy({ WithinReason.skips.contains($0.start) && WithinReason.skips.contains($0.end) })
        else { return false }
        return packets.allSatisfy { packet in
            let times = [packet.rawPTS, packet.pts, packet.dts].allSatisfy {
                $0 == IndexedPacket.unknown || WithinReason.times.contains($0)
            }
            return times && (0...WithinReason.times.upperBound).contains(packet.duration)
                && (0...size).contains(packet.position) && packet.size >= 0
                && packet.contentStart <= size - Int64(packet.size)
        }
    }
}
