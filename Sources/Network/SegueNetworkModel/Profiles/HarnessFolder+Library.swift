internal import Foundation
package import SegueData
internal import SegueHarnessFiles

extension HarnessFolder {
    /// The data folder of a library: what `SEGUE_HARNESS` names, else the one that came with the library.
    package static let ofLibrary = HarnessFolder(
        path: ProcessInfo.processInfo.environment["SEGUE_HARNESS"] ?? HarnessData.path
    )
}
