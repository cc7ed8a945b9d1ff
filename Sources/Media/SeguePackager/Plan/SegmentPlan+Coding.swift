internal import Foundation
internal import SegueBase

extension SegmentPlan: Codable {
    private enum CodingKeys: Swift.CodingKey { case segments, origin, timestampOffset, settledCount }

    /// Decodes a plan from a flat list of numbers, because a movie has thousands of segments.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let numbers = try fields.decode(Data.self, forKey: .segments).withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count / 8 * 8, by: 8).map {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
            }
        }
        guard !numbers.isEmpty, numbers.count % 5 == 0 else {
            throw DecodingError.dataCorruptedError(forKey: .segments, in: fields, debugDescription: "no segments")
        }
        segments = try stride(from: 0, to: numbers.count, by: 5).map { place in
            guard numbers[place + 1] > 0, numbers[place + 3] > 0, numbers[place] > .min, numbers[place + 2] > .min
            else {
                throw DecodingError.dataCorruptedError(forKey: .segments, in: fields, debugDescription: "no fraction")
            }
            return PlannedSegment(
                number: place / 5,
                start: Rational(numbers[place], numbers[place + 1]),
                duration: Rational(numbers[place + 2], numbers[place + 3]),
                startsDiscontinuity: numbers[place + 4] != 0
            )
        }
        origin = try fields.decode(Rational.self, forKey: .origin)
        timestampOffset = try fields.decode(Rational.self, forKey: .timestampOffset)
        settledCount = min(max(0, try fields.decode(Int.self, forKey: .settledCount)), segments.count)
    }

    /// Encodes the plan.
    package func encode(to encoder: any Encoder) throws {
        var bytes = Data(capacity: 40 * segments.count)
        for segment in segments {
            let numbers = [
                segment.start.numerator, segment.start.denominator, segment.duration.numerator,
                segment.duration.denominator, segment.startsDiscontinuity ? 1 : 0,
            ]
            for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        }
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(bytes, forKey: .segments)
        try fields.encode(origin, forKey: .origin)
        try fields.encode(timestampOffset, forKey: .timestampOffset)
        try fields.encode(settledCount, forKey: .settledCount)
    }
}
