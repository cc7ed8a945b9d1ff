internal import SegueBase

/// A part of a segment, which can be sent before the rest of it.
package struct PlannedPart: Sendable, Hashable {
    /// Its duration, and in the highest bit whether it has a keyframe: a film of two hours has some 15,000 parts.
    let packed: UInt32

    /// How long it is, in microseconds.
    package var microseconds: Int64 { Int64(packed & Self.greatest) }

    /// True if a frame begins in it that can be decoded without others.
    package var hasKeyframe: Bool { packed & ~Self.greatest != 0 }

    /// The longest part that there is, in microseconds.
    private static let greatest = UInt32.max >> 1

    /// A part.
    ///
    /// - Parameters:
    ///   - microseconds: How long it is; 1 to 2^31 - 1.
    ///   - hasKeyframe: True if a frame begins in it that can be decoded without others.
    package init(microseconds: Int64, hasKeyframe: Bool) {
        packed = min(UInt32(clamping: microseconds), Self.greatest) | (hasKeyframe ? ~Self.greatest : 0)
    }

    init(packed: UInt32) { self.packed = packed }
}

/// Where the segments of an item may be cut into parts: one list for all renditions.
///
/// Parts are cut where frames begin, and are counted in microseconds, as playlists write them: what is exact to the
/// microsecond is written the same whatever comes before it.
package struct PartPlan: Sendable, Hashable {
    /// The parts of each segment of the plan; none has no parts.
    package let segments: [[PlannedPart]]

    init(segments: [[PlannedPart]]) { self.segments = segments }
}

extension SegmentPlan {
    /// How long each segment is in microseconds, such that none of their ends is more than half a microsecond off.
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
    /// The plan as bytes: of each segment how many parts it has, and the parts.
    package var bytes: [UInt8] {
        segments.flatMap { parts in [UInt32(clamping: parts.count)] + parts.map(\.packed) }.flatMap { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
    }

    /// The plan that bytes stand for; nil where they are none of an item that is cut so.
    ///
    /// - Parameters:
    ///   - bytes: What ``bytes`` wrote, or somebody who is not believed.
    ///   - plan: Where the item is cut into segments.
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
