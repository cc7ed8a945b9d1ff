internal import SegueFFmpeg

/// Why a file, a rendition or a segment cannot be served.
package struct PackagingError: Error, Sendable, Equatable, Codable, CustomStringConvertible {
    /// The kinds of reason.
    package enum Reason: Sendable, Hashable, Codable {
        /// The file cannot be opened or read.
        case unreadable
        /// The bytes are no media that libav knows.
        case notMedia
        /// Media, but nothing in it can be played.
        case nothingPlayable
        /// There is no audio to make a background rendition of.
        case noSound
        /// The video cannot be copied from this codec; it is transcoded.
        case videoNeedsTranscoding(codec: String)
        /// The video has no place to cut for longer than a segment may be.
        case sparseKeyframes
        /// This codec is not carried in this kind of segment.
        case unsupportedInContainer
        /// The content is encrypted.
        case encrypted
        /// The file is not the one that was opened.
        case changed
        /// Nobody waits for the answer any more.
        case cancelled
        /// The plan has no segment of that number.
        case noSuchSegment
        /// The file cannot be read where the index says that something is.
        case broken
        /// Work on the file has ended a process before, so that it is left alone for a while.
        case setAside
    }

    /// The kind of reason.
    package let reason: Reason
    /// The path of the file.
    package let file: String
    /// What went wrong, in one line.
    package let message: String

    /// An error with its words.
    package init(_ reason: Reason, file: String, _ message: String) {
        self.reason = reason
        self.file = file
        self.message = String(message.map { $0.isNewline ? " " : $0 })
    }

    package var description: String { "\(file): \(message)" }

    /// What an error from libav means for a file that is served.
    init(_ error: MediaError, else reason: Reason) {
        if error.isDecoderRefusal {
            self.init(.nothingPlayable, file: error.file, "libav's decoder refuses it: \(error.message)")
        } else {
            self.init(error.isCancelled ? .cancelled : reason, file: error.file, "\(error.call): \(error.message)")
        }
    }

    /// Any error on the way, as one of this type.
    package static func wrapping(_ error: any Error, file: String) -> PackagingError {
        switch error {
        case let error as PackagingError: error
        case let error as MediaError: PackagingError(error, else: .broken)
        default: PackagingError(.broken, file: file, "\(error)")
        }
    }
}
