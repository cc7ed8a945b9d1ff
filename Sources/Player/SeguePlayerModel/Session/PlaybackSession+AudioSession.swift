internal import SegueBase
internal import SegueEvents

/// The audio session of the app, the Ring/Silent switch, and the audio of other apps.
extension PlaybackSession {
    /// Applies the audio session to playback and output, and returns whether anything changed.
    mutating func followAudioSession(at now: Instant) -> Bool {
        let hasStarted = admitPlayback(at: now)
        let hasChanged = device.followAudioSession()
        let silence = device.audioSession.silencedBy
        if hasChanged {
            renditions.player.setSilenced(silence != nil)
            log(.platformOutput(isAudible: silence == nil, reason: silence?.problem ?? ""))
        }
        if let silence, renditions.player.rate > 0, renditions.player.current != nil { report(silence) }
        if device.audioSession.followDucking(), device.audioSession.other != nil {
            log(.platformOtherAudioDucked(isDucked: device.audioSession.isDucking))
        }
        return hasStarted || hasChanged
    }

    /// Admits the playback that waits for permission to the audio session, or pauses it, and returns whether anything
    /// changed.
    private mutating func admitPlayback(at now: Instant) -> Bool {
        guard let wanted = renditions.player.wanted else { return false }
        if let fault = device.prohibition {
            forbid(wanted, because: fault, at: now)
            return true
        }
        // The app in front has priority over the audio of others.
        if device.audioSession.isInterruptedByOther, !device.circumstances.isInBackground { device.takeAudioBack() }
        guard !device.isInterrupted else { return false }
        if !device.audioSession.isActive {
            guard !device.isOtherAudioInFront else {
                pause(wanted, because: "another app's audio", at: now)
                return true
            }
            guard device.audioSession.activateToPlay() else {
                forbid(wanted, because: .inactive, at: now)
                return true
            }
        }
        return interruptOthers()
    }

    /// Interrupts the audio of another app, and returns whether there was any to interrupt.
    private mutating func interruptOthers() -> Bool {
        guard device.audioSession.interruptOther() else { return false }
        log(.platformOtherAudio(isPlaying: false, reason: "the app's audio interrupts it"))
        return true
    }

    private mutating func forbid(_ item: ItemID, because fault: DeclarationFault, at now: Instant) {
        pause(item, because: fault.problem, at: now)
        report(fault)
    }

    private mutating func pause(_ item: ItemID, because reason: String, at now: Instant) {
        log(.platformPaused(item: item.description, reason: reason))
        renditions.player.holdByPlatform(reason: "platform", at: now)
    }

    /// Pauses the audio of an app that may not play in the background.
    mutating func stopUndeclaredAudio(at now: Instant) {
        guard let fault = device.prohibition, renditions.player.rate > 0, let current = renditions.player.current,
            !renditions.player.isHeldByPlatform
        else { return }
        forbid(current.id, because: fault, at: now)
    }

    /// Logs a fault of the app's declarations, once until it ends.
    private mutating func report(_ fault: DeclarationFault) {
        guard traits != nil, device.audioSession.report(fault) else { return }
        log(
            .appMisdeclared(
                policy: app?.profile.name ?? "app",
                key: fault.key,
                problem: fault.problem,
                fix: fault.fix
            )
        )
    }

    // MARK: Commands

    mutating func setSilentSwitch(_ isSilent: Bool) { device.audioSession.isSwitchSilent = isSilent }

    mutating func beginOtherAudio(_ audio: AudioSession.OtherAudio, at now: Instant) {
        log(.platformOtherAudio(isPlaying: true, reason: ""))
        let mixes = device.platform.background.interruption == .ignored
        guard device.audioSession.begin(mixes ? .mixable : audio), device.interrupt() else { return }
        device.audioSession.interrupt()
        hold(because: "another app's audio", as: "interruption", at: now)
        apply(.interruptionBegan, at: now)
    }

    mutating func endOtherAudio(shouldResume: Bool, at now: Instant) {
        guard device.audioSession.other != nil || device.audioSession.isInterruptedByOther else { return }
        log(.platformOtherAudio(isPlaying: false, reason: ""))
        if device.audioSession.endOther() { endInterruption(shouldResume: shouldResume, at: now) }
    }

    mutating func setAudioSession(_ settings: AudioSessionSettings) {
        renditions.call("setCategory")
        device.audioSession.set(settings)
    }

    mutating func setAudioSessionActive(_ isActive: Bool, at now: Instant) {
        renditions.call("setActive")
        guard isActive else {
            hold(because: "the audio session is inactive", as: "platform", at: now)
            return device.audioSession.setActive(false)
        }
        if device.audioSession.isInterruptedByOther { device.takeAudioBack() }
        device.audioSession.setActive(true)
        _ = interruptOthers()
    }
}
