internal import Foundation
internal import SegueByteCoding

/// What was found out by verifying content before, as far as it is believed, and where more of it is kept.
struct VerifiedBefore {
    private let keeper: any VerificationKeeping
    /// Whether what is kept counts; else all is found out anew, and kept in its place.
    private let isBelieved: Bool

    init(_ keeper: any VerificationKeeping, isBelieved: Bool = true) {
        (self.keeper, self.isBelieved) = (keeper, isBelieved)
    }

    /// What is kept under a key; nil where nothing is.
    func value<Value: Decodable>(_ type: Value.Type, of key: String) -> Value? {
        guard isBelieved, let bytes = keeper.kept(key) else { return nil }
        return try? JSONDecoder().decode(type, from: Data(bytes))
    }

    /// Keeps a value.
    func keep(_ value: some Encodable, as key: String) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A figure that JSON cannot hold is found out again.
        guard let bytes = try? encoder.encode(value) else { return }
        keeper.keep([UInt8](bytes), as: key)
    }

    /// The checksum of a file's bytes, which are read only where the file has been touched since they were read last.
    ///
    /// - Parameters:
    ///   - progress: Called for each mebibyte that is read.
    /// - Returns: The SHA-256; nil where the file cannot be read, or is written to meanwhile.
    func checksum(ofFileAt path: String, progress: () -> Void = {}) -> String? {
        guard let stamp = FileStamp(ofFileAt: path) else { return nil }
        let key = "bytes \(stamp.text)"
        if let known = value(String.self, of: key) { return known }
        let isSettled = stamp.isSettled()
        guard let sum = try? LongChecksum.ofFile(at: path, progress), FileStamp(ofFileAt: path) == stamp else {
            return nil
        }
        if isSettled { keep(sum, as: key) }
        return sum
    }
}
