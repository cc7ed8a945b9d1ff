package import Foundation

/// The working copy that the tests were built from.
package enum Checkout {
    /// The root folder of the repository.
    package static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized

    /// The path of a file or folder below the root.
    package static func path(_ relative: String) -> String { root.appendingPathComponent(relative).path }
}
