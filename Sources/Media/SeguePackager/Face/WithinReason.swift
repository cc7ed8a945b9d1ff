internal import SegueBase
internal import SegueFFmpeg

/// Limits within which arithmetic does not overflow.
///
/// Files beyond them are not rejected: they are left to the process that read the numbers, which may crash on them.
private enum WithinReason {
    /// Timestamps, in stream units.
    static let times: ClosedRange<Int64> = -(1 << 44)...1 << 44
    /// Time scales, and sample rates in hertz.
    static let rates: ClosedRange<Int64> = 1...1 << 17
    /// Samples discarded at one end of a packet.
    static let skips = 0...1 << 31
    static let seconds = Rational(-1 << 26)...Rational(1 << 26)
    static let segments = 1...1 << 20
}

extension SegmentPlan {
    /// True if all times are within the limits.
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
    /// True if all numbers are plausible for a file of this size.
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
