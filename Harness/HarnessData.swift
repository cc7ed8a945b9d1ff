internal import Foundation

/// The data files as they were built into the package: a copy that lies beside whatever is linked with it.
package enum HarnessData {
    /// The folder that holds a folder for each kind of data.
    package static var path: String { Bundle.module.bundlePath }
}
