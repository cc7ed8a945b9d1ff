import Foundation
import SegueFFmpeg

/// File names as Linux has them: strings of bytes, which need not be text.
///
/// Swift's strings hold UTF-8 only, so paths stay bytes until somebody wants to read them.
package enum FileNames {
    /// The bytes as text, with U+FFFD for what is none.
    package static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the bytes are valid UTF-8, so that a `String` can name the file.
    static func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// A folder's path and a name in it.
    package static func join(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
        if folder.isEmpty { return name }
        return folder.last == slash ? folder + name : folder + [slash] + name
    }

    /// Whether a path lies in a folder; both absolute, without links or dots.
    static func path(_ path: [UInt8], isIn folder: [UInt8]) -> Bool {
        let prefix = folder.last == slash ? folder : folder + [slash]
        return path.starts(with: prefix)
    }

    /// The last component.
    package static func lastComponent(_ path: [UInt8]) -> ArraySlice<UInt8> {
        path[(path.lastIndex(of: slash).map { $0 + 1 } ?? 0)...]
    }

    /// The extension in small letters, empty where there is none.
    package static func lowercaseExtension(_ path: [UInt8]) -> String {
        let name = lastComponent(path)
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
        return text(name[(dot + 1)...]).lowercased()
    }

    /// The last component without its extension, for display.
    static func stem(_ path: [UInt8]) -> String {
        let name = lastComponent(path)
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return text(name) }
        return text(name[..<dot])
    }

    /// The absolute path without links or dots; nil with `errno` set where there is no such file.
    static func canonical(_ path: [UInt8]) -> [UInt8]? {
        withCString(path) { path in
            guard let resolved = realpath(path, nil) else { return nil }
            defer { free(resolved) }
            return [UInt8](UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
        }
    }

    /// Calls `body` with each name in a folder but `.` and `..`, in the order of the file system.
    ///
    /// - Returns: Nil when the folder cannot be read, or not to its end, with `errno` set.
    package static func forEachName(in folder: [UInt8], _ body: ([UInt8]) -> Void) -> Void? {
        guard let stream = withCString(folder, { opendir($0) }) else { return nil }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else { return errno == 0 ? () : nil }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != dot && name != dots { body(name) }
        }
    }

    /// Makes a symbolic link; false with `errno` set where that fails.
    static func makeLink(at link: [UInt8], to target: [UInt8]) -> Bool {
        withCString(target) { target in withCString(link) { symlink(target, $0) } } == 0
    }

    /// What the last failed call said, as a person would.
    package static func lastError() -> String { String(cString: strerror(errno)) }

    /// Whether the last failed call found nothing under the name.
    static var isMissingError: Bool { errno == ENOENT || errno == ENOTDIR }

    private static let slash = UInt8(ascii: "/")
    private static let dot = Array(".".utf8)
    private static let dots = Array("..".utf8)

    private static func withCString<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        // A path with a zero byte would name another file; no such path comes from a folder or a command line.
        precondition(!bytes.contains(0), "a path cannot hold a zero byte")
        return (bytes + [0]).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
        }
    }
}
