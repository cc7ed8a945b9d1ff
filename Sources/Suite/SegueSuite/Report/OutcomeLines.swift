internal import Foundation
internal import Glibc
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SystemPackage

/// Outcomes in a file, as JSON Lines.
struct OutcomeLines {
    private static let block = 256 << 10

    private let file: FileDescriptor
    private var place: Range<Int64>
    private var read: [UInt8] = []
    /// How much of what was read has been handed out.
    private var used = 0

    /// The lines in a part of a file; nothing else needs to know of its position.
    init(_ file: FileDescriptor, in place: Range<Int64>) { (self.file, self.place) = (file, place) }

    /// All lines of a file, a worker's for instance.
    init(_ file: FileDescriptor) {
        self.init(file, in: 0..<max(0, FileStatus(descriptor: file.rawValue)?.size ?? 0))
    }

    /// Where in the file the next line begins.
    var position: Int64 { place.lowerBound - Int64(read.count - used) }

    /// Goes to where a line begins.
    mutating func move(to position: Int64) {
        let held = place.lowerBound - Int64(read.count)..<place.lowerBound
        if held.contains(position) {
            used = Int(position - held.lowerBound)
        } else {
            (read, used) = ([], 0)
            place = min(position, place.upperBound)..<place.upperBound
        }
    }

    /// Goes on to what has been added to the file since.
    mutating func extend() {
        guard let size = FileStatus(descriptor: file.rawValue)?.size else { return }
        place = place.lowerBound..<max(place.upperBound, size)
    }

    /// The next line without its line feed, which the last may lack; nil after the last.
    ///
    /// - Throws: `Errno` where the file cannot be read.
    mutating func next() throws -> Data? {
        if let line = try nextWhole() { return line }
        defer { read = [] }
        return read.isEmpty ? nil : Data(read)
    }

    /// The next line that ends with a line feed, without it; nil where there is none, or not yet.
    ///
    /// - Throws: `Errno` where the file cannot be read.
    mutating func nextWhole() throws -> Data? {
        var looked = used
        while true {
            if let end = read[looked...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { used = end + 1 }
                return Data(read[used..<end])
            }
            looked = read.count - used
            read.removeFirst(used)
            used = 0
            guard try fill() else { return nil }
        }
    }

    /// Reads on; false at the end.
    private mutating func fill() throws -> Bool {
        let wanted = Int(min(Int64(Self.block), Int64(place.count)))
        guard wanted > 0 else { return false }
        let (file, start, held) = (file, place.lowerBound, read.count)
        read.append(contentsOf: repeatElement(0, count: wanted))
        let count = try read.withUnsafeMutableBytes { bytes in
            try file.read(fromAbsoluteOffset: start, into: UnsafeMutableRawBufferPointer(rebasing: bytes[held...]))
        }
        read.removeLast(wanted - count)
        place = start + Int64(count)..<place.upperBound
        return count > 0
    }
}

/// Writes outcomes as JSON Lines, many of them at a time.
struct OutcomeWriter {
    private static let block = 64 << 10

    private let encoder = JSONEncoder()
    private let file: FileDescriptor
    private var position: Int64
    private var waiting: [UInt8] = []

    /// A writer into a file from a position on.
    init(_ file: FileDescriptor, at position: Int64 = 0) { (self.file, self.position) = (file, position) }

    /// Writes an outcome.
    ///
    /// - Throws: `Errno` where the file cannot be written, or an `EncodingError`.
    mutating func write(_ outcome: CaseOutcome) throws { try write(line: try encoder.encode(outcome)) }

    /// Writes an outcome that is a line of JSON already.
    mutating func write(line: Data) throws {
        waiting += line
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count >= Self.block { _ = try flush() }
    }

    /// Writes what waits.
    ///
    /// - Returns: The position behind all that was written.
    mutating func flush() throws -> Int64 {
        try file.writeAll(toAbsoluteOffset: position, waiting)
        position += Int64(waiting.count)
        waiting.removeAll(keepingCapacity: true)
        return position
    }
}
