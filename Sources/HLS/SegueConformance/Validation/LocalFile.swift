internal import Foundation
internal import SegueFetch

/// A file of a playlist on the disk.
enum LocalFile {
    /// The path that a `file:` URL means.
    static func path(of url: String) -> String {
        let path = url.hasPrefix("file://") ? String(url.dropFirst(7).prefix { $0 != "?" && $0 != "#" }) : url
        return path.removingPercentEncoding ?? path
    }

    /// The bytes of a file, or of a part of it.
    ///
    /// - Parameters:
    ///   - url: The file's URL, or its path.
    ///   - range: The part; nil for the whole.
    ///   - limit: The most bytes that are read.
    /// - Returns: The bytes, or why there are none, in a few words.
    static func read(_ url: String, range: FetchRange?, limit: Int) -> Result<[UInt8], FileTrouble> {
        let descriptor = open(path(of: url), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(FileTrouble(String(cString: strerror(errno)))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failure(FileTrouble(String(cString: strerror(errno)))) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failure(FileTrouble("it is no file")) }
        let start = min(Int64(status.st_size), max(0, range?.offset ?? 0))
        let count = min(Int64(status.st_size) - start, max(0, range?.length ?? .max))
        guard count <= limit else { return .failure(FileTrouble("it has more than the \(limit) bytes that are read")) }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        var read = 0
        while read < bytes.count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: read), buffer.count - read, Int(start) + read)
            }
            guard got >= 0 else { return .failure(FileTrouble(String(cString: strerror(errno)))) }
            guard got > 0 else { break }
            read += got
        }
        return .success(Array(bytes.prefix(read)))
    }
}

/// Why a file cannot be read, in a few words.
struct FileTrouble: Error {
    let words: String

    init(_ words: String) { self.words = words }
}
