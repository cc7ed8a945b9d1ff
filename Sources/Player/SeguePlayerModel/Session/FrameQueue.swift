internal import SegueBase

/// The video frames of one item that the layer has queued in the background.
struct FrameQueue: Sendable {
    enum News: Sendable, Equatable {
        /// The number of frames has grown to a multiple of ``step``.
        case grew(to: Int)
        /// The platform permits no more frames.
        case isFull(Int)
    }

    /// The number of frames between two events of the log.
    static let step = 100

    private let profile: PlatformProfile.QueuedFrames
    private var item: ItemID?
    private var kept = 0
    /// The instant since which frames are queued; nil if none are.
    private var since: Instant?
    private var noted = 0

    init(profile: PlatformProfile.QueuedFrames) { self.profile = profile }

    /// The number of frames.
    func count(at now: Instant) -> Int {
        guard let since else { return kept }
        let new = Double((now - since).wholeNanoseconds) / 1e9 * Double(profile.rate)
        // The instant of a frame is rounded up to a nanosecond.
        return kept + Int(min(max(0, new + 1e-4), 1e15))
    }

    /// Queues the frames of an item from now on, or none.
    mutating func queue(_ shown: ItemID?, at now: Instant) {
        let wanted = profile.isOn ? shown : nil
        guard wanted != (since == nil ? nil : item) else { return }
        kept = count(at: now)
        since = nil
        guard let wanted else { return }
        if wanted != item { (item, kept, noted) = (wanted, 0, 0) }
        since = now
    }

    /// The instant of the next news; nil if no frames are queued.
    func nextChange(at now: Instant) -> Instant? {
        guard let since else { return nil }
        let next = min(noted + Self.step, profile.limit ?? .max)
        return since + .nanoseconds(Int64((Double(next - kept) * 1e9 / Double(profile.rate)).rounded(.up)))
    }

    /// Returns the news that is due.
    mutating func news(at now: Instant) -> News? {
        let count = count(at: now)
        if since != nil, let limit = profile.limit, count >= limit { return .isFull(count) }
        guard count >= noted + Self.step else { return nil }
        noted = count / Self.step * Self.step
        return .grew(to: noted)
    }

    /// Removes all frames, and returns their item and number.
    mutating func drain(at now: Instant) -> (item: ItemID, count: Int)? {
        let drained = item.map { (item: $0, count: count(at: now)) }
        self = FrameQueue(profile: profile)
        return drained.flatMap { $0.count > 0 ? $0 : nil }
    }
}
