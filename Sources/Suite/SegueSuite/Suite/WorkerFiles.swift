internal import Foundation
internal import Glibc
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SystemPackage

/// The files between a worker process and its parent.
///
/// Files are used instead of pipes: no side has to read while the other writes, and the output of a crashed worker
/// survives.
package struct WorkerFiles: Sendable {
    /// The worker's standard input: it appends a line for each progress, which resets its time limits.
    package let told: Int32
    /// The worker's standard output: the outcomes as JSON Lines.
    package let output: Int32
    /// The worker's standard error: the reason why it could not continue.
    package let words: Int32
    /// The worker's end of a socket that carries a byte for each additional core; it closes when the worker dies.
    package let line: Int32
    /// The parent's end.
    let ownLine: Int32

    /// - Throws: ``NamelessFile/Failure`` or `Errno`.
    init() throws {
        var open: [Int32] = []
        do {
            for _ in 0..<3 { open.append(try NamelessFile.make()) }
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
                throw Errno(rawValue: errno)
            }
            open += ends
        } catch {
            for file in open { _ = Glibc.close(file) }
            throw error
        }
        (told, output, words, ownLine, line) = (open[0], open[1], open[2], open[3], open[4])
    }

    /// Closes the worker's end of the socket in the parent.
    func leaveLine() { _ = Glibc.close(line) }

    /// Closes the parent's files.
    func close() { for file in [told, output, words, ownLine] { _ = Glibc.close(file) } }

    static func contents(of file: Int32) -> Data {
        guard let size = FileStatus(descriptor: file)?.size, size > 0 else { return Data() }
        var data = Data(count: Int(size))
        let count = data.withUnsafeMutableBytes { bytes in
            try? FileDescriptor(rawValue: file).read(fromAbsoluteOffset: 0, into: bytes)
        }
        return data.prefix(count ?? 0)
    }
}
