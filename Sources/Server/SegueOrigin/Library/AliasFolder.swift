import Foundation
import Synchronization

/// Symbolic links with UTF-8 names for files whose own names are not UTF-8.
///
/// The folder is created with the first link, and removed with the library.
final class AliasFolder: Sendable {
    private let path = Mutex<String?>(nil)

    /// Returns a UTF-8 path that opens the file, or nil if no link can be created.
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

    func remove() {
        path.withLock { path in
            if let folder = path { try? FileManager.default.removeItem(atPath: folder) }
            path = nil
        }
    }

    /// Creates a folder with mode 0700.
    private static func makeFolder() -> String? {
        var template = Array((NSTemporaryDirectory() + "/segue-names-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
