internal import Foundation
internal import SegueByteCoding

/// Facts from earlier verifications, and the store for new ones.
struct VerificationCache {
    private let keeper: any VerificationStore
    /// True if stored facts are used; otherwise all are computed again and replaced.
    private let isBelieved: Bool

    init(_ keeper: any VerificationStore, isBelieved: Bool = true) {
        (self.keeper, self.isBelieved) = (keeper, isBelieved)
    }

    /// The value of a key; nil without one.
    func value<Value: Decodable>(_ type: Value.Type, of key: String) -> Value? {
        guard isBelieved, let bytes = keeper.kept(key) else { return nil }
        return try? JSONDecoder().decode(type, from: Data(bytes))
    }

    func keep(_ value: some Encodable, as key: String) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A figure that JSON cannot represent is computed again next time.
        guard let bytes = try? encoder.encode(value) else { return }
        keeper.keep([UInt8](bytes), as: key)
    }

    /// The checksum of a file, which is read only if it was modified since the last time.
    ///
    /// `progress` is called for each mebibyte read. Returns the SHA-256; nil if the file cannot be read or is being
    /// modified.
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
