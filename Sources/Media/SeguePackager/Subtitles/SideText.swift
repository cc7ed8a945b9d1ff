internal import Foundation

/// The text of a file of subtitles, whatever its letters are coded in.
enum SideText {
    /// The text as UTF-8: of UTF-8 with or without its mark, of UTF-16 with its mark, and of anything else as
    /// Windows-1252, which older files of Western Europe are in.
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
