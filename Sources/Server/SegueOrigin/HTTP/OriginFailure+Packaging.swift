import SegueFFmpeg
import SeguePackager

extension OriginFailure {
    /// Creates the response to a packaging error.
    ///
    /// Paths on this machine stay out of the message.
    init(_ error: PackagingError, item: LibraryItem) {
        let reason = ErrorSentence(error.message, translatedAs: "packaging.\(error.reason.name)")
        let message: ErrorSentence = "\(item.path): \(reason)"
        switch error.reason {
        case .noSuchSegment: self = .notFound(message)
        case .cancelled: self = .cancelled
        case .changed: self = .notFound("\(item.path): the file has changed; reload its playlist")
        case .unreadable: self = .unservable("unreadable", message)
        case .unfinished: self = .unservable("unfinished", message)
        case .notMedia: self = .unservable("notMedia", message)
        case .nothingPlayable: self = .unservable("nothingPlayable", message)
        case .noAudio: self = .unservable("noSound", message)
        case .videoNeedsTranscoding: self = .unservable("videoNeedsTranscoding", message)
        case .sparseKeyframes: self = .unservable("sparseKeyframes", message)
        case .unsupportedInContainer: self = .unservable("unsupportedInContainer", message)
        case .encrypted: self = .unservable("encrypted", message)
        case .broken: self = .unservable("broken", message)
        case .setAside: self = .unservable("setAside", message)
        }
    }

    /// Creates the response to any error.
    init(_ error: any Error, item: LibraryItem) {
        switch error {
        case let error as OriginFailure: self = error
        case let error as PackagingError: self.init(error, item: item)
        case let error as MediaError:
            self =
                error.isCancelled
                ? .cancelled : .unservable("unreadable", "\(item.path): \(error.reason)")
        default: self.init(status: 500, code: "internal", message: "\(item.path): \(error)")
        }
    }
}

extension PackagingError.Reason {
    /// The name of the reason without its values.
    fileprivate var name: String {
        if case .videoNeedsTranscoding = self { return "videoNeedsTranscoding" }
        return "\(self)"
    }
}
