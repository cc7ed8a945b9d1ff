import Foundation
import SegueConcurrency
import SegueFFmpeg

/// File names of Linux: byte strings, possibly not UTF-8.
///
/// Swift strings are always UTF-8, so paths stay bytes until they are displayed.
package enum FileNames {
    /// The bytes as text, with U+FFFD for invalid bytes.
    package static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Returns true if the bytes are valid UTF-8.
    static func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    package static func join(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
        if folder.isEmpty { return name }
        return folder.last == slash ? folder + name : folder + [slash] + name
    }

    /// Returns true if a path is in a folder; both are absolute, without links or dots.
    static func path(_ path: [UInt8], isIn folder: [UInt8]) -> Bool {
        let prefix = folder.last == slash ? folder : folder + [slash]
        return path.starts(with: prefix)
    }

    package static func lastComponent(_ path: [UInt8]) -> ArraySlice<UInt8> {
        path[(path.lastIndex(of: slash).map { $0 + 1 } ?? 0)...]
    }

    /// The extension in lower case; empty if there is none.
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

    /// The absolute path without links or dots, or nil with `errno` set if there is no such file.
    package static func canonical(_ path: [UInt8]) -> [UInt8]? {
        withCString(path) { path in
            guard let resolved = realpath(path, nil) else { return nil }
            defer { free(resolved) }
            return [UInt8](UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
        }
    }

    /// Calls `body` with each name in a folder, in the order of the file system, without `.` and `..`.
    ///
    /// - Returns: Nil with `errno` set if the folder cannot be read to its end.
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

    /// Creates a symbolic link; false with `errno` set on failure.
    static func makeLink(at link: [UInt8], to target: [UInt8]) -> Bool {
        withCString(target) { target in withCString(link) { symlink(target, $0) } } == 0
    }

    /// Returns true if there is a file, or if the system does not say.
    static func exists(_ path: [UInt8]) -> Bool { FileStatus(path: path) != nil || !isMissingError }

    /// The description of `errno`.
    package static func lastError() -> String { String(cString: strerror(errno)) }

    /// True if `errno` means that the file does not exist.
    static var isMissingError: Bool { errno == ENOENT || errno == ENOTDIR }

    private static let slash = UInt8(ascii: "/")
    private static let dot = Array(".".utf8)
    private static let dots = Array("..".utf8)

    private static func withCString<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        // A zero byte would truncate the path. No path of a folder or a command line contains one.
        precondition(!bytes.contains(0), "a path must not contain a zero byte")
        return (bytes + [0]).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
        }
    }
}
