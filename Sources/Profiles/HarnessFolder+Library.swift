internal import Foundation
package import Harness
internal import HarnessData

extension HarnessFolder {
    /// The data folder of a library: what `SEGUE_HARNESS` names, else the one that came with the library.
    package static let ofLibrary = HarnessFolder(
        path: ProcessInfo.processInfo.environment["SEGUE_HARNESS"] ?? HarnessData.path
    )
}
