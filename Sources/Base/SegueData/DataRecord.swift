package import Foundation
internal import Synchronization

/// A record of the data files that some work reads, with their contents.
package final class DataRecord: Sendable {
    @TaskLocal static var current: DataRecord?

    private let contents = Mutex<[String: Data]>([:])

    package init() {}

    /// The contents by path.
    package var files: [String: Data] { contents.withLock { $0 } }

    /// Records the files that `work` reads.
    package func during<Value>(_ work: () throws -> Value) rethrows -> Value {
        try Self.$current.withValue(self, operation: work)
    }

    func add(_ data: Data, of path: String) { contents.withLock { $0[path] = data } }
}
