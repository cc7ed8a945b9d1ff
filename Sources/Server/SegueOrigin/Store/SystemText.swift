internal import Foundation

/// Files that the system generates when they are read (proc(5)).
package enum SystemText {
    /// The content of such a file; empty if it cannot be read.
    ///
    /// The system returns a page at a time and reports no size, so Foundation reads just the first page.
    package static func contents(of path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        let bytes = try? file.readToEnd()
        return String(decoding: bytes ?? Data(), as: UTF8.self)
    }
}
