internal import SegueContainers
internal import SegueFetch
internal import Synchronization

/// A cache of the responses for generated titles, for the life of the process.
///
/// Each seed requests the same resources, and players inspect each segment once. The bytes themselves are not kept.
enum MadeAnswers {
    private struct Key: Hashable {
        let stream: MadeStream
        let name: String
    }

    /// The capacity.
    ///
    /// A title of an hour has 600 segments.
    private static let most = 10_000
    private static let kept = Mutex<[Key: SharedBytes]>([:])

    /// Returns the playlist of a stream whose segments lie in a folder.
    static func playlist(of stream: MadeStream, in folder: String) -> SharedBytes {
        answer(Key(stream: stream, name: folder)) { Array(stream.playlist(in: folder).utf8) }
    }

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
