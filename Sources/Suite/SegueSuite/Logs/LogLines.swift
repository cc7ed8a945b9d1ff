internal import Foundation
internal import Glibc

/// The lines of a file or pipe, read on demand.
struct LogLines: ~Copyable {
    /// The maximum length of a line in bytes.
    static let longest = 1 << 20

    private static let block = 256 << 10

    private let descriptor: Int32
    private var buffer = LineBuffer()
    private var isOver = false

    /// - Throws: ``LoggedCaseError`` if the file cannot be opened.
    init(path: String) throws(LoggedCaseError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LoggedCaseError(path, String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    /// The next line without its line feed; nil at the end.
    ///
    /// - Throws: The reason why it cannot be read.
    mutating func next() throws(LineFailure) -> Data? {
        while true {
            if let line = buffer.next() { return line }
            guard buffer.rest <= Self.longest else {
                throw LineFailure(reason: "is longer than \(Self.longest) bytes")
            }
            if isOver { return buffer.last() }
            try fill()
        }
    }

    private mutating func fill() throws(LineFailure) {
        let descriptor = descriptor
        let count = try buffer.append(Self.block) { bytes throws(LineFailure) in
            var count: Int
            repeat { count = Glibc.read(descriptor, bytes.baseAddress, bytes.count) } while count < 0 && errno == EINTR
            guard count >= 0 else { throw LineFailure(reason: "cannot be read: \(String(cString: strerror(errno)))") }
            return count
        }
        isOver = count == 0
    }
}

/// The reason why a line is not an event.
struct LineFailure: Error, Equatable {
    let reason: String
}
