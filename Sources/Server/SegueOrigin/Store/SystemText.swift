internal import Foundation

/// Texts that the system makes as they are read (proc(5)).
package enum SystemText {
    /// All of such a text; empty where it cannot be read.
    ///
    /// It is given a page at a time and has no size, so that Foundation's reading of files takes its first page for all.
    package static func contents(of path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        let bytes = try? file.readToEnd()
        return String(decoding: bytes ?? Data(), as: UTF8.self)
    }
}
