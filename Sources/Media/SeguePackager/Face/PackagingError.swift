internal import SegueFFmpeg

/// The reason why a file, a rendition, or a segment cannot be served.
package struct PackagingError: Error, Sendable, Equatable, Codable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable, Codable {
        /// The file cannot be opened or read.
        case unreadable
        /// The bytes are not media that libav supports.
        case notMedia
        /// The file lacks the part that is written last.
        case unfinished
        /// The file is media without playable streams.
        case nothingPlayable
        /// There is no audio for a background rendition.
        case noAudio
        /// The video codec cannot be copied and is transcoded.
        case videoNeedsTranscoding(codec: String)
        /// The distance between keyframes exceeds the maximum segment duration.
        case sparseKeyframes
        /// The container cannot carry the codec.
        case unsupportedInContainer
        /// The content is encrypted.
        case encrypted
        /// The file changed since it was opened.
        case changed
        /// The request was canceled.
        case cancelled
        /// The plan has no segment with the number.
        case noSuchSegment
        /// The file cannot be read at a position from the index.
        case broken
        /// The file is quarantined because work on it ended a process.
        case setAside
    }

    package let reason: Reason
    package let file: String
    /// A one-line explanation.
    package let message: String

    package init(_ reason: Reason, file: String, _ message: String) {
        self.reason = reason
        self.file = file
        self.message = String(message.map { $0.isNewline ? " " : $0 })
    }

    package var description: String { "\(file): \(message)" }

    /// Translates a libav error for a served file.
    init(_ error: MediaError, else reason: Reason) {
        if error.isDecoderRefusal {
            self.init(.nothingPlayable, file: error.file, "libav's decoder rejects the stream: \(error.message)")
        } else {
            self.init(error.isCancelled ? .cancelled : reason, file: error.file, error.reason)
        }
    }

    /// The error of an MP4 file without an index.
    static func unfinishedMovie(_ path: String) -> PackagingError {
        PackagingError(
            .unfinished,
            file: path,
            "the file is still being written, or was cut off: it has no index (moov box), which most programs write last"
        )
    }

    /// Converts any error to this type.
    package static func wrapping(_ error: any Error, file: String) -> PackagingError {
        switch error {
        case let error as PackagingError: error
        case let error as MediaError: PackagingError(error, else: .broken)
        default: PackagingError(.broken, file: file, "\(error)")
        }
    }
}
