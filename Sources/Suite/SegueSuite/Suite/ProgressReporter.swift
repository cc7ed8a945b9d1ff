internal import Foundation
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SystemPackage

/// Reports the progress on a file to the parent process.
package struct ProgressReporter {
    private let progress: FileProgress
    private let file: FileDescriptor
    private var told = 0

    /// `descriptor` is the file to append lines to, at its current position.
    package init(_ progress: FileProgress, to descriptor: Int32) {
        self.progress = progress
        file = FileDescriptor(rawValue: descriptor)
    }

    /// Appends a line if there was progress since the last one.
    package mutating func tell() {
        let (count, now) = progress.look
        guard count != told else { return }
        told = count
        // Without a reader the descriptor may not be writable.
        _ = try? file.writeAll(Array("\n\(now.line)".utf8))
    }

    /// Reports progress four times a second, on a thread of its own, until the process ends.
    package static func begin(_ progress: FileProgress, to descriptor: Int32) {
        WorkThread.begin("progress") {
            var teller = ProgressReporter(progress, to: descriptor)
            while true {
                teller.tell()
                Thread.sleep(forTimeInterval: 0.25)
            }
        }
    }
}
