/// The circumstances of the app's audio session.
extension Device {
    var circumstances: AudioSession.Circumstances {
        AudioSession.Circumstances(isLocked: lifecycle.isLocked, isInBackground: lifecycle.isInBackground)
    }

    /// The fault of the app's declarations that forbids playback now, if there is one.
    var prohibition: DeclarationFault? { audioSession.prohibition(in: circumstances) }

    /// Updates the silence of the output, and returns whether it changed.
    mutating func followAudioSession() -> Bool { audioSession.follow(circumstances) }

    /// True if another app's audio prevents that of an app in the background.
    var isOtherAudioInFront: Bool {
        lifecycle.isInBackground && audioSession.other == .nonmixable && !audioSession.settings.mixes
    }

    /// Ends an interruption by the audio of another app, which the app in front interrupts in turn.
    mutating func takeAudioBack() {
        _ = endInterruption()
        audioSession.takeBack()
    }
}
