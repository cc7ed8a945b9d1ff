import Foundation
import SegueServer

/// The page that lies beside the tests.
enum PageFolder {
    /// The folder.
    static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Page").standardized.path

    /// Its files.
    static func files() throws -> PageFiles { try PageFiles(folder: path) }
}
