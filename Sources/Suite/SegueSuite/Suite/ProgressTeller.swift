internal import Foundation
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SystemPackage

/// Tells whoever started this process how far the work on a file has come.
package struct ProgressTeller {
    private let progress: FileProgress
    private let file: FileDescriptor
    private var told = 0

    /// A teller that has told nothing yet.
    ///
    /// - Parameters:
    ///   - descriptor: Where it is told: a line is added at the position of this descriptor.
    package init(_ progress: FileProgress, to descriptor: Int32) {
        self.progress = progress
        file = FileDescriptor(rawValue: descriptor)
    }

    /// Adds a line if there was progress since the last one.
    package mutating func tell() {
        let (count, now) = progress.look
        guard count != told else { return }
        told = count
        // Nobody may be listening: then the descriptor is not for writing.
        _ = try? file.writeAll(Array("\n\(now.line)".utf8))
    }

    /// Tells of progress four times a second, on a thread of its own, for as long as the process lives.
    package static func begin(_ progress: FileProgress, to descriptor: Int32) {
        WorkThread.begin("progress") {
            var teller = ProgressTeller(progress, to: descriptor)
            while true {
                teller.tell()
                Thread.sleep(forTimeInterval: 0.25)
            }
        }
    }
}
