internal import SeguePlayerModel

/// What an app does to go from one rendition of a title to another without a gap.
extension QueuePlayer {
    /// Puts an item behind the current one that loads at that one's playhead as it moves, so that ``advanceToNextItem()``
    /// goes on with it at the same place, with nothing to wait for.
    ///
    /// It takes nothing of the network while what plays is not likely to keep up. When the current item has played to its
    /// end, or is taken out of the queue or replaced, so is this one. AVFoundation has no such call: an app there seeks the
    /// item that it has inserted again and again.
    ///
    /// - Parameters:
    ///   - item: The item, which begins wherever the current one is.
    ///   - current: The current item; behind another one it waits in line like others.
    /// - Returns: Whether it was taken.
    @discardableResult
    public func insert(_ item: PlayerItem, following current: PlayerItem) -> Bool {
        guard let id = current.id else { return false }
        return insert(item, at: .following(id))
    }

    /// Whether the video of the current item is loaded, where its sound is a rendition of its own.
    ///
    /// The sound goes on without it, as with Media3's `setTrackTypeDisabled`. Each item begins with its video; true where
    /// there is no item.
    public var loadsVideo: Bool {
        get { currentItem?.model(\.isVideoWanted) ?? true }
        set { engine.send(.setVideoWanted(newValue)) }
    }
}
