package import SegueEvents

extension PlaybackSession: SessionUnderTest {
    package var hasAudio: Bool? { renditions.player.current?.tracks?.hasAudio }

    package var queue: [ItemID] { renditions.player.items.map(\.id) }

    package var lastRemoved: ItemID? { renditions.player.removed.last?.id }

    package var trail: AudioTrail { renditions.player.trail }

    package var grace: Duration { .zero }

    package var continuesAfterMisses: Bool { false }

    package func precision(of subject: Condition.NumberSubject) -> Duration { .zero }

    package func isUnreported(_ subject: Condition.NumberSubject) -> Bool { false }

    package func isUnreported(_ subject: Condition.FlagSubject) -> Bool { false }

    package func isUnreported(_ subject: Condition.WordSubject) -> Bool { false }

    package func isUnreported(_ match: EventMatch) -> Bool { false }
}
