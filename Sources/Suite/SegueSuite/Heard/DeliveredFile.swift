internal import Foundation

/// A plain file, or the sound of an endless stream, as far as it was delivered: each byte at its own place in a file
/// without a name, whose holes take no room.
final class DeliveredFile {
    private let file: FileHandle

    /// The stretches of bytes that came, in order and apart from each other.
    private var ranges: [Range<Int64>] = []

    init() throws { file = try FileHandle.nameless() }

    deinit { try? file.close() }

    /// A path by which it can be opened as long as it is kept.
    var path: String { "/proc/self/fd/\(file.fileDescriptor)" }

    /// Where the first hole at or behind a byte begins; nil where everything came from there to the last byte that did.
    func hole(behind place: Int64) -> Int64? {
        guard let range = ranges.first(where: { $0.upperBound > place }), range.lowerBound <= place else {
            return place
        }
        return range == ranges.last ? nil : range.upperBound
    }

    /// Keeps bytes at their place.
    ///
    /// - Throws: The system's error when they cannot be written.
    func keep(_ bytes: [UInt8], at offset: Int64) throws {
        guard !bytes.isEmpty else { return }
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
        var whole = offset..<offset + Int64(bytes.count)
        let near = ranges.filter { $0.upperBound >= whole.lowerBound && $0.lowerBound <= whole.upperBound }
        ranges.removeAll { near.contains($0) }
        for range in near {
            whole = min(whole.lowerBound, range.lowerBound)..<max(whole.upperBound, range.upperBound)
        }
        ranges.insert(whole, at: ranges.firstIndex { $0.lowerBound > whole.lowerBound } ?? ranges.endIndex)
    }
}

extension FileHandle {
    /// A temporary file without a name, which lives as long as it is open and leaves nothing behind whatever happens.
    ///
    /// - Throws: ``HeardSoundError`` when there can be none.
    static func nameless() throws -> FileHandle {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("segue-heard-\(UUID().uuidString)").path
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forUpdatingAtPath: path)
        else { throw HeardSoundError("no temporary file can be made in \(folder.path)") }
        try FileManager.default.removeItem(atPath: path)
        return file
    }
}
