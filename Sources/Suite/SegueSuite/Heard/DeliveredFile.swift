internal import Foundation

/// A sparse temporary file with the delivered bytes of a plain file or an endless stream, each at its offset.
final class DeliveredFile {
    private let file: FileHandle

    /// The received byte ranges, sorted and disjoint.
    private var ranges: [Range<Int64>] = []

    init() throws { file = try FileHandle.nameless() }

    deinit { try? file.close() }

    /// A path that opens the file while this object exists.
    var path: String { "/proc/self/fd/\(file.fileDescriptor)" }

    /// The start of the first hole at or after an offset; nil if everything up to the last received byte is there.
    func hole(behind place: Int64) -> Int64? {
        guard let range = ranges.first(where: { $0.upperBound > place }), range.lowerBound <= place else {
            return place
        }
        return range == ranges.last ? nil : range.upperBound
    }

    /// Stores bytes at their offset.
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
    /// An unlinked temporary file, which disappears when it is closed.
    ///
    /// - Throws: ``HeardAudioError``.
    static func nameless() throws -> FileHandle {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("segue-heard-\(UUID().uuidString)").path
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forUpdatingAtPath: path)
        else { throw HeardAudioError("cannot create a temporary file in \(folder.path)") }
        try FileManager.default.removeItem(atPath: path)
        return file
    }
}
