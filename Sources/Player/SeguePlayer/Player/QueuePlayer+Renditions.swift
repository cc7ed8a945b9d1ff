internal import SeguePlayerModel

/// Gapless switches between renditions of a title.
extension QueuePlayer {
    /// Inserts an item behind the current one that loads at the moving playhead, so that ``advanceToNextItem()``
    /// continues with it at the same position without waiting.
    ///
    /// It uses no bandwidth while the current item is unlikely to keep up. When the current item plays to its end, or
    /// is removed or replaced, the preloaded item is removed as well. AVFoundation has no such call: an app there
    /// repeatedly seeks the inserted item.
    ///
    /// - Parameters:
    ///   - item: The item, which starts at the position of the current one.
    ///   - current: The current item; behind another item, the new one waits in the queue like others.
    /// - Returns: True if it was accepted.
    @discardableResult
    public func insert(_ item: PlayerItem, following current: PlayerItem) -> Bool {
        guard let id = current.id else { return false }
        return insert(item, at: .following(id))
    }

    /// True if the video of the current item loads, if its audio is a separate rendition.
    ///
    /// Without video, the audio continues, as with Media3's `setTrackTypeDisabled`. Each item starts with its video.
    /// The value is true without an item.
    public var loadsVideo: Bool {
        get { currentItem?.model(\.isVideoWanted) ?? true }
        set { engine.send(.setVideoWanted(newValue)) }
    }
}
