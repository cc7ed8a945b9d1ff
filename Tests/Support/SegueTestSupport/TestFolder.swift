internal import Foundation

/// A folder for one test's files; removed when the value goes.
package final class TestFolder: Sendable {
    /// The folder's absolute path.
    package let path: String

    /// Makes an empty folder of its own.
    ///
    /// - Throws: A Foundation error when the folder cannot be made.
    package init() throws {
        path = NSTemporaryDirectory() + "segue-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    ///
    /// - Throws: A Foundation error when the file cannot be written.
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }
}
