package import Foundation
internal import Synchronization

/// The data files that are read in some work, and what was in them.
package final class DataRecord: Sendable {
    @TaskLocal static var current: DataRecord?

    private let contents = Mutex<[String: Data]>([:])

    /// Nothing has been read.
    package init() {}

    /// What was read, by path.
    package var files: [String: Data] { contents.withLock { $0 } }

    /// Records what is read in some work.
    package func during<Value>(_ work: () throws -> Value) rethrows -> Value {
        try Self.$current.withValue(self, operation: work)
    }

    func add(_ data: Data, of path: String) { contents.withLock { $0[path] = data } }
}
