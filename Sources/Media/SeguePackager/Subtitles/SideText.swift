internal import Foundation

/// A decoder of subtitle files in unknown encodings.
enum SideText {
    /// Decodes UTF-8, UTF-16 with a byte order mark, or else Windows-1252, the legacy encoding of Western Europe.
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return String(data: Data(bytes), encoding: .utf16).map { Array($0.utf8) } ?? []
        }
        if String(validating: bytes, as: UTF8.self) != nil { return bytes }
        return String(data: Data(bytes), encoding: .windowsCP1252).map { Array($0.utf8) }
            ?? Array(String(decoding: bytes, as: UTF8.self).utf8)
    }
}
