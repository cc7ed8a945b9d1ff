import Foundation

/// JSON with sorted keys, so that equal values have equal bytes.
enum JSONText {
    /// Encodes a value in UTF-8.
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        guard let data = try? encoder.encode(value) else { return Array("{}".utf8) }
        return Array(data)
    }
}
