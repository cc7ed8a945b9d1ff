internal import Foundation
internal import Glibc
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SystemPackage

/// A reader of outcomes in a JSON Lines file.
struct OutcomeLines {
    private static let block = 256 << 10

    private let file: FileDescriptor
    private var place: Range<Int64>
    private var buffer = LineBuffer()

    /// The lines in a part of a file.
    ///
    /// Reading does not move the file's position.
    init(_ file: FileDescriptor, in place: Range<Int64>) { (self.file, self.place) = (file, place) }

    /// All lines of a file, such as a worker's.
    init(_ file: FileDescriptor) {
        self.init(file, in: 0..<max(0, FileStatus(descriptor: file.rawValue)?.size ?? 0))
    }

    /// The position of the next line.
    var position: Int64 { place.lowerBound - Int64(buffer.rest) }

    /// Moves to the beginning of a line.
    mutating func move(to position: Int64) {
        let held = place.lowerBound - Int64(buffer.count)..<place.lowerBound
        if held.contains(position) {
            buffer.move(to: Int(position - held.lowerBound))
        } else {
            buffer = LineBuffer()
            place = min(position, place.upperBound)..<place.upperBound
        }
    }

    /// Includes lines that were appended since.
    mutating func extend() {
        guard let size = FileStatus(descriptor: file.rawValue)?.size else { return }
        place = place.lowerBound..<max(place.upperBound, size)
    }

    /// The next line without its line feed, which may be missing at the end; nil at the end.
    ///
    /// - Throws: `Errno`.
    mutating func next() throws -> Data? {
        try nextWhole() ?? buffer.last()
    }

    /// The next line that ends with a line feed; nil if there is none yet.
    ///
    /// - Throws: `Errno`.
    mutating func nextWhole() throws -> Data? {
        while true {
            if let line = buffer.next() { return line }
            guard try fill() else { return nil }
        }
    }

    /// Reads another block; false at the end.
    private mutating func fill() throws -> Bool {
        guard !place.isEmpty else { return false }
        let (file, start) = (file, place.lowerBound)
        let count = try buffer.append(Int(min(Int64(Self.block), Int64(place.count)))) { bytes in
            try file.read(fromAbsoluteOffset: start, into: bytes)
        }
        place = start + Int64(count)..<place.upperBound
        return count > 0
    }
}

/// A buffered writer of outcomes as JSON Lines.
struct OutcomeWriter {
    private static let block = 64 << 10

    private let encoder = JSONEncoder()
    private let file: FileDescriptor
    private var position: Int64
    private var waiting: [UInt8] = []

    init(_ file: FileDescriptor, at position: Int64 = 0) { (self.file, self.position) = (file, position) }

    /// Writes an outcome.
    ///
    /// - Throws: `Errno`, or an `EncodingError`.
    mutating func write(_ outcome: CaseOutcome) throws { try write(line: try encoder.encode(outcome)) }

    /// Writes an outcome that is already encoded as JSON.
    mutating func write(line: Data) throws {
        waiting += line
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count >= Self.block { _ = try flush() }
    }

    /// Writes the buffer.
    ///
    /// - Returns: The position after the last byte.
    mutating func flush() throws -> Int64 {
        try file.writeAll(toAbsoluteOffset: position, waiting)
        position += Int64(waiting.count)
        waiting.removeAll(keepingCapacity: true)
        return position
    }
}
