internal import Foundation
internal import SegueBase
internal import SegueFetch

/// Local files of a playlist.
enum LocalFile {
    /// Returns the path of a `file:` URL.
    static func path(of url: String) -> String {
        let path = url.hasPrefix("file://") ? String(url.dropFirst(7).prefix { $0 != "?" && $0 != "#" }) : url
        return path.removingPercentEncoding ?? path
    }

    /// Reads a file or a part of it.
    ///
    /// - Parameters:
    ///   - url: The URL or the path of the file.
    ///   - range: The part; nil for the whole file.
    ///   - limit: The maximum number of bytes.
    /// - Returns: The bytes, or the reason why the file cannot be read.
    static func read(_ url: String, range: FetchRange?, limit: Int) -> Result<[UInt8], FileTrouble> {
        let descriptor = open(path(of: url), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(FileTrouble(String(cString: strerror(errno)))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failure(FileTrouble(String(cString: strerror(errno)))) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failure(FileTrouble("not a regular file")) }
        let start = min(Int64(status.st_size), max(0, range?.offset ?? 0))
        let count = min(Int64(status.st_size) - start, max(0, range?.length ?? .max))
        guard count <= limit else { return .failure(FileTrouble("larger than the limit of \(limit) bytes")) }
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

/// The reason why a file cannot be read, as a short phrase.
struct FileTrouble: Error {
    let words: String

    init(_ words: String) { self.words = words }
}
