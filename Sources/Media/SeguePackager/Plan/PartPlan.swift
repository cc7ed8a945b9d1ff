internal import SegueBase

/// A part of a segment that can be sent before the rest.
package struct PlannedPart: Sendable, Hashable {
    /// The duration, with the keyframe flag in the highest bit: a two-hour movie has about 15,000 parts.
    let packed: UInt32

    /// The duration, in microseconds.
    package var microseconds: Int64 { Int64(packed & Self.greatest) }

    /// True if an independently decodable frame begins in the part.
    package var hasKeyframe: Bool { packed & ~Self.greatest != 0 }

    /// The maximum part duration, in microseconds.
    private static let greatest = UInt32.max >> 1

    /// Creates a part with a duration of 1 to 2^31 - 1 microseconds.
    package init(microseconds: Int64, hasKeyframe: Bool) {
        packed = min(UInt32(clamping: microseconds), Self.greatest) | (hasKeyframe ? ~Self.greatest : 0)
    }

    init(packed: UInt32) { self.packed = packed }
}

/// The part boundaries of an item's segments, shared by all renditions.
///
/// Durations are whole microseconds, as in playlists, so rounding does not accumulate.
package struct PartPlan: Sendable, Hashable {
    /// The parts of each segment; none is empty.
    package let segments: [[PlannedPart]]

    init(segments: [[PlannedPart]]) { self.segments = segments }
}

extension SegmentPlan {
    /// The segment durations in microseconds; each segment end is exact to half a microsecond.
    package var microseconds: [Int64] {
        var last: Int64 = 0
        return segments.map { segment in
            let end = segment.end.rounded(scale: 1_000_000)
            defer { last = end }
            return end - last
        }
    }
}

extension PartPlan {
    /// The encoded plan: each segment's part count and parts.
    package var bytes: [UInt8] {
        segments.flatMap { parts in [UInt32(clamping: parts.count)] + parts.map(\.packed) }.flatMap { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
    }

    /// Decodes untrusted bytes; nil if they are not a plan for these segments.
    package init?(_ bytes: [UInt8], of plan: SegmentPlan) {
        guard bytes.count % 4 == 0 else { return nil }
        let numbers = stride(from: 0, to: bytes.count, by: 4).map { place in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * $1) }
        }
        var rest = numbers[...]
        var segments: [[PlannedPart]] = []
        for duration in plan.microseconds {
            guard let count = rest.popFirst(), count > 0, Int(count) <= rest.count else { return nil }
            let parts = rest.prefix(Int(count)).map { PlannedPart(packed: $0) }
            rest = rest.dropFirst(Int(count))
            guard parts.allSatisfy({ $0.microseconds > 0 }),
                parts.reduce(0, { $0 + $1.microseconds }) == duration
            else { return nil }
            segments.append(parts)
        }
        guard rest.isEmpty else { return nil }
        self.segments = segments
    }
}
