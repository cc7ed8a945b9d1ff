internal import CFFmpeg

/// What libav logs as errors while it does something, where no call fails for it.
package enum ErrorLog {
    /// Does something and hears what libav says of it on the calling thread.
    ///
    /// - Parameter body: What is done.
    /// - Returns: The last line that was logged as an error or worse; nil when there was none.
    /// - Throws: What `body` throws.
    package static func complaint(during body: () throws -> Void) rethrows -> String? {
        ffs_forget_log()
        try body()
        let line = String(cString: ffs_last_log())
        return line.isEmpty ? nil : line
    }
}
