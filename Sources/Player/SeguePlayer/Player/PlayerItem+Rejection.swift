internal import SeguePlayerModel

extension PlayerItem {
    /// Whether the platform made it fail, and not the network or its media: it has pictures, which may not play in the
    /// background, or the media services were reset (`AVError.operationNotAllowed`, `.mediaServicesWereReset`).
    ///
    /// Another item of the same address may play.
    public var isRejected: Bool { model { $0.isFailed && $0.error?.domain == .platform } ?? false }
}
