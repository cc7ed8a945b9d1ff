internal import CSegueFFmpeg
package import SegueConcurrency

extension Cancellation {
    /// Throws a ``MediaError`` if canceled.
    package func check(_ call: String, file: String) throws(MediaError) {
        guard isCancelled else { return }
        throw MediaError(call: call, file: file, code: ffs_error_exit, message: "cancelled")
    }
}
