internal import SegueContainers
internal import SegueFetch
internal import Synchronization

/// What made titles are answered with, kept as long as the process.
///
/// A seed asks for the same as the one before, and what a player finds out about a segment is found out once. The bytes
/// themselves are not kept.
enum MadeAnswers {
    private struct Key: Hashable {
        let stream: MadeStream
        let name: String
    }

    /// How many are kept; a title of an hour has 600.
    private static let most = 10_000
    private static let kept = Mutex<[Key: SharedBytes]>([:])

    /// The playlist of a stream whose segments lie in a folder.
    static func playlist(of stream: MadeStream, in folder: String) -> SharedBytes {
        answer(Key(stream: stream, name: folder)) { Array(stream.playlist(in: folder).utf8) }
    }

    /// A segment of a stream; nil where there is none of that number.
    static func segment(_ number: Int, of stream: MadeStream) -> SharedBytes? {
        guard (0..<stream.count).contains(number) else { return nil }
        return answer(Key(stream: stream, name: "\(number).ts")) { stream.segment(number) ?? [] }
    }

    private static func answer(_ key: Key, _ make: @escaping @Sendable () -> [UInt8]) -> SharedBytes {
        if let answer = kept.withLock({ $0[key] }) { return answer }
        let answer = SharedBytes(count: make().count, makingAgain: make)
        kept.withLock { kept in
            if kept.count >= most { kept = [:] }
            kept[key] = answer
        }
        return answer
    }
}
