internal import Foundation
package import SegueData
internal import SegueHarnessFiles

extension HarnessFolder {
    /// The data folder of a library: the folder in `SEGUE_HARNESS`, or else the one in the library's resources.
    package static let ofLibrary = HarnessFolder(
        path: ProcessInfo.processInfo.environment["SEGUE_HARNESS"] ?? HarnessData.path
    )
}
