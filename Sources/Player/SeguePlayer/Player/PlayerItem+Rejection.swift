internal import SeguePlayerModel

extension PlayerItem {
    /// Whether the platform caused the failure, and not the network or the media: the item has video, which may not
    /// play in the background, or the media services were reset (`AVError.operationNotAllowed`,
    /// `.mediaServicesWereReset`).
    ///
    /// Another item with the same URL may play.
    public var isRejected: Bool { model { $0.isFailed && $0.error?.domain == .platform } ?? false }
}
