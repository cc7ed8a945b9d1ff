import Foundation
import SegueTestSupport
import SegueServer

/// The page that lies beside the tests.
enum PageFolder {
    /// The folder.
    static let path = Checkout.path("Web/library")

    /// Its files.
    static func files() throws -> PageFiles { try PageFiles(folder: path) }
}
