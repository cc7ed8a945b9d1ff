import Foundation
import Synchronization

/// Names that are text for files whose own names are not: symbolic links in a folder of our own.
///
/// Made only when the first such file is met, removed with the library.
final class AliasFolder: Sendable {
    private let path = Mutex<String?>(nil)

    /// A path that is valid text and opens the same file, or nil where no link could be made.
    func alias(for file: [UInt8], named id: String, fileExtension: String) -> String? {
        path.withLock { path in
            if path == nil { path = Self.makeFolder() }
            guard let folder = path else { return nil }
            let isPlain = fileExtension.utf8.allSatisfy { $0.asciiLowercased.isASCIILetterOrDigit }
            let alias = folder + "/" + id + (isPlain && !fileExtension.isEmpty ? "." + fileExtension : "")
            unlink(alias)
            return FileNames.makeLink(at: Array(alias.utf8), to: file) ? alias : nil
        }
    }

    deinit { remove() }

    /// Removes the links.
    func remove() {
        path.withLock { path in
            if let folder = path { try? FileManager.default.removeItem(atPath: folder) }
            path = nil
        }
    }

    /// A folder that only this user can look into.
    private static func makeFolder() -> String? {
        var template = Array((NSTemporaryDirectory() + "/segue-names-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether this is `a`…`z` or `0`…`9`.
    fileprivate var isASCIILetterOrDigit: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
