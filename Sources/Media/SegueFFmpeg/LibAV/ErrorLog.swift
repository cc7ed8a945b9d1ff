internal import CSegueFFmpeg

/// What libav logs as errors while it does something, where no call fails for it.
package enum ErrorLog {
    /// Does something and hears what libav says of it on the calling thread.
    ///
    /// - Parameter body: What is done.
    /// - Returns: The last line that was logged as an error or worse; nil when there was none.
    /// - Throws: What `body` throws.
    package static func complaint(during body: () throws -> Void) rethrows -> String? {
        let listening = Listening()
        try body()
        return listening.complaint
    }

    /// Hears what libav says on the calling thread, from when it is made.
    package struct Listening {
        private var before: String?

        /// Begins to listen.
        package init() { ffs_forget_log() }

        /// The last line that was logged as an error or worse; nil when there was none.
        package var complaint: String? {
            let line = String(cString: ffs_last_log())
            return line.isEmpty ? before : line
        }

        /// Hears nothing until ``resume()``.
        package mutating func pause() { before = complaint }

        /// Goes on after a ``pause()``.
        package func resume() { ffs_forget_log() }
    }
}
