internal import Foundation
internal import Glibc
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SystemPackage

/// What a worker's process and its owner speak through.
///
/// Files, not pipes: nobody has to read while the other writes, and what a worker that dies has written stays.
package struct WorkerFiles: Sendable {
    /// The worker's standard input: each line that it adds says what it has come to, and has it be given more time.
    package let told: Int32
    /// Its standard output: the outcomes, as JSON Lines.
    package let output: Int32
    /// Its standard error: why it could not go on.
    package let words: Int32
    /// Its end of a line that brings a byte for each further core that it may use, and breaks when it dies.
    package let line: Int32
    /// The owner's end.
    let ownLine: Int32

    /// Makes them.
    ///
    /// - Throws: ``NamelessFile/Failure`` or `Errno` where the system refuses one.
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

    /// Closes the worker's end of the line, which is its own from here on.
    func leaveLine() { _ = Glibc.close(line) }

    /// Closes all that is the owner's.
    func close() { for file in [told, output, words, ownLine] { _ = Glibc.close(file) } }

    /// All that is in one of the files.
    static func contents(of file: Int32) -> Data {
        guard let size = FileStatus(descriptor: file)?.size, size > 0 else { return Data() }
        var data = Data(count: Int(size))
        let count = data.withUnsafeMutableBytes { bytes in
            try? FileDescriptor(rawValue: file).read(fromAbsoluteOffset: 0, into: bytes)
        }
        return data.prefix(count ?? 0)
    }
}
