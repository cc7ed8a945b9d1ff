import Foundation
import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// The first tags of files that grow, kept so that their addresses stay valid when the server restarts.
///
/// Without a cache, the files have other addresses after a restart.
struct GrowthRecords: Sendable {
    /// The name of the data in the cache.
    private static let part = "growth"

    private let keeper: (any IndexKeeping)?

    init(_ keeper: (any IndexKeeping)?) { self.keeper = keeper }

    private struct Record: Codable {
        let tag: String
        /// The last bytes of the file when it received the tag; as long as they are in place, the bytes before are unchanged.
        let end: FileEnd
    }

    /// Keeps the tag of a file with an end at some time.
    func keep(_ tag: String, of file: FileIdentity, end: FileEnd) {
        guard let keeper, let bytes = try? JSONEncoder().encode(Record(tag: tag, end: end)) else { return }
        keeper.keep(Array(bytes), as: Self.part, of: Self.anyState(of: file))
    }

    /// The kept tag of a file; nil without one, and if the file is another one now.
    func tag(of file: FileIdentity) -> String? {
        guard let bytes = keeper?.kept(Self.part, of: Self.anyState(of: file)),
            let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)),
            record.end.size <= file.size, record.end.isIn(file.path)
        else { return nil }
        return record.tag
    }

    /// The file at any time: its size and time change while it grows.
    private static func anyState(of file: FileIdentity) -> FileIdentity {
        FileIdentity(path: file.path, size: 0, modifiedNanoseconds: 0, inode: file.inode)
    }
}

/// The last bytes of a file at some time.
struct FileEnd: Sendable, Equatable, Codable {
    private static let most: Int64 = 4096

    /// The size of the file at that time.
    let size: Int64
    private let checksum: String

    init(_ path: String, size: Int64) {
        self.size = max(0, size)
        checksum = Self.checksum(upTo: self.size, of: path)
    }

    /// Returns true if the file still has the bytes in this place.
    func isIn(_ path: String) -> Bool { Self.checksum(upTo: size, of: path) == checksum }

    private static func checksum(upTo end: Int64, of path: String) -> String {
        let start = max(0, end - most)
        guard end >= 0, let file = ReadableFile.handle(path) else { return "" }
        defer { try? file.close() }
        guard (try? file.seek(toOffset: UInt64(start))) != nil, let data = try? file.read(upToCount: Int(end - start))
        else { return "" }
        return Checksum.sha256([UInt8](data))
    }
}
