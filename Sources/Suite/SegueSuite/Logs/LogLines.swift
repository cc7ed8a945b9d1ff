internal import Foundation
internal import Glibc

/// The lines of a file or pipe, read on demand.
struct LogLines: ~Copyable {
    /// The maximum length of a line in bytes.
    static let longest = 1 << 20

    private static let block = 256 << 10

    private let descriptor: Int32
    private var read: [UInt8] = []
    /// The number of consumed bytes.
    private var used = 0
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
        var looked = used
        while true {
            if let end = read[looked...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { used = end + 1 }
                return Data(read[used..<end])
            }
            looked = read.count - used
            read.removeFirst(used)
            used = 0
            guard read.count <= Self.longest else { throw LineFailure(reason: "is longer than \(Self.longest) bytes") }
            if isOver {
                defer { read = [] }
                return read.isEmpty ? nil : Data(read)
            }
            try fill()
        }
    }

    private mutating func fill() throws(LineFailure) {
        let held = read.count
        read.append(contentsOf: repeatElement(0, count: Self.block))
        let count = read.withUnsafeMutableBytes { bytes in
            var count: Int
            repeat {
                count = Glibc.read(descriptor, bytes.baseAddress?.advanced(by: held), Self.block)
            } while count < 0 && errno == EINTR
            return count
        }
        guard count >= 0 else { throw LineFailure(reason: "cannot be read: \(String(cString: strerror(errno)))") }
        read.removeLast(Self.block - count)
        isOver = count == 0
    }
}

/// The reason why a line is not an event.
struct LineFailure: Error, Equatable {
    let reason: String
}
