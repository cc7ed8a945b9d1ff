internal import SegueBase
internal import SegueEvents

/// Commands of the user from outside of the app.
extension PlaybackSession {
    /// Carries out a command from the lock screen, the headphones, or the multitasking bar.
    ///
    /// The app reacts as to its own buttons. An app outside of the session makes the call itself.
    mutating func handle(_ command: RemoteCommand, from sender: RemoteSender, at now: Instant) {
        log(.platformRemoteCommand(command: command.rawValue, sender: sender.rawValue))
        guard !device.lifecycle.isTerminated else { return }
        if device.lifecycle.isSuspended {
            guard device.lifecycle.wake(at: now) else { return }
            apply(.resumed, at: now)
        }
        let isPaused = renditions.player.timeControl == .paused
        let plays = command == .play || command == .toggle && isPaused
        device.resumption = plays ? .announced : .byApp
        guard newsForOutside == nil else { return }
        carryOut(plays ? .play : .pause, at: now)
    }
}

extension Device {
    /// The origin of the last call to play.
    enum Resumption: Sendable {
        case byApp
        /// The user sent a command to play, and the app has not called `play` yet.
        case announced
        case byRemote
    }

    /// Records a call to play, or to pause.
    mutating func noteCall(isPlaying: Bool) { resumption = isPlaying && resumption == .announced ? .byRemote : .byApp }
}
