internal import Foundation
internal import SegueConcurrency

extension OriginResponse.Body {
    /// The whole body in memory, for callers in this process; empty for an endless body.
    package var bytes: [UInt8] {
        switch self {
        case .empty, .endless: return []
        case .bytes(let bytes): return bytes
        case .found(let found, let range): return found.kept.read(range) ?? []
        case .file(let path, let offset, let length):
            // An unreadable file yields fewer bytes than announced, as it does over a socket.
            guard let file = ReadableFile.handle(path), (try? file.seek(toOffset: UInt64(offset))) != nil,
                let data = try? file.read(upToCount: Int(length))
            else { return [] }
            return [UInt8](data)
        case .made(let body, let range): return (try? body.bytes(in: range)) ?? []
        case .pieces(let pieces): return pieces.flatMap(\.bytes)
        }
    }
}
