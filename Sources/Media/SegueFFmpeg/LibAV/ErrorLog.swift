internal import CSegueFFmpeg

/// Capture of the errors that libav logs without failing a call.
package enum ErrorLog {
    /// Runs `body` and returns the last line that libav logged as an error on this thread; nil if none.
    package static func complaint(during body: () throws -> Void) rethrows -> String? {
        let listening = Listening()
        try body()
        return listening.complaint
    }

    /// A capture of libav's log on the current thread.
    package struct Listening {
        private var before: String?

        package init() { ffs_forget_log() }

        /// The last line logged as an error or worse; nil if none.
        package var complaint: String? {
            let line = String(cString: ffs_last_log())
            return line.isEmpty ? before : line
        }

        /// Suspends capturing until ``resume()``.
        package mutating func pause() { before = complaint }

        package func resume() { ffs_forget_log() }
    }
}
