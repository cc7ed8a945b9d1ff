import Foundation

/// JSON as this server writes it: keys in order, so the same value gives the same bytes.
enum JSONText {
    /// The value's JSON, in UTF-8; our own values always encode.
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
