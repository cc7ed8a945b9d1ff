/// The audio session of an app, and the circumstances that decide whether its audio is heard.
struct AudioSession: Sendable {
    /// The audio of another app.
    enum OtherAudio: Sendable {
        case mixable, nonmixable
    }

    /// The circumstances of an app.
    struct Circumstances: Sendable {
        var isLocked: Bool
        var isInBackground: Bool
    }

    private let rules: PlatformProfile.AudioSession
    private let declarations: AppDeclarations

    private(set) var settings: AudioSessionSettings

    /// The settings that the platform refused, if any.
    private var refusedSettings: DeclarationFault?

    private(set) var isActive: Bool

    /// True if the Ring/Silent switch is set to silent.
    var isSwitchSilent = false

    private(set) var other: OtherAudio?

    /// True if the session lowers the volume of another app's audio.
    private(set) var isDucking = false

    /// True if the audio of another app interrupts that of the app.
    private(set) var isInterruptedByOther = false

    /// The reason for which the output is silent; nil while it is audible.
    private(set) var silencedBy: DeclarationFault?

    /// The fault that was reported last; nil after it has ended.
    private var reported: DeclarationFault?

    init(rules: PlatformProfile.AudioSession, _ declarations: AppDeclarations) {
        (self.rules, self.declarations) = (rules, declarations)
        isActive = declarations.activation == .atLaunch
        refusedSettings = AudioSession.refusal(of: declarations.session, by: rules)
        settings = refusedSettings == nil ? declarations.session : .platformDefault
    }

    /// Resets the session for a new process of the app.
    ///
    /// The switch and the audio of other apps stay as they are.
    mutating func restart() {
        let former = self
        self = AudioSession(rules: rules, declarations)
        (isSwitchSilent, other) = (former.isSwitchSilent, former.other)
        (isDucking, silencedBy) = (former.isDucking, former.silencedBy)
    }

    // MARK: Settings

    /// Returns the reason for which a platform refuses settings, if it does.
    private static func refusal(of wanted: AudioSessionSettings, by rules: PlatformProfile.AudioSession)
        -> DeclarationFault?
    {
        guard !rules.categories.isEmpty else { return nil }
        if let conflict = wanted.conflict { return .refused(conflict.reason, in: conflict.key) }
        guard rules.categories.contains(wanted.category) else {
            return .refused("is \(wanted.category.rawValue), which the platform does not have", in: "category")
        }
        guard rules.modes.contains(wanted.mode) else {
            return .refused("is \(wanted.mode.rawValue), which the platform does not have", in: "mode")
        }
        if let option = wanted.options.first(where: { !rules.options.contains($0) }) {
            return .refused("has \(option.rawValue), which the platform does not have", in: "options")
        }
        return nil
    }

    func refusal(of wanted: AudioSessionSettings) -> DeclarationFault? { AudioSession.refusal(of: wanted, by: rules) }

    /// Changes the settings, unless the platform refuses them.
    mutating func set(_ wanted: AudioSessionSettings) {
        guard refusal(of: wanted) == nil else { return }
        (settings, refusedSettings) = (wanted, nil)
    }

    mutating func setActive(_ isActive: Bool) { self.isActive = isActive }

    /// Activates an inactive session for playback, and returns whether it is active.
    mutating func activateToPlay() -> Bool {
        if declarations.activation == .atPlay || rules.activatesOnPlay || rules.categories.isEmpty { isActive = true }
        return isActive
    }

    // MARK: Silence

    /// Returns the fault that forbids playback, if there is one.
    func prohibition(in circumstances: Circumstances) -> DeclarationFault? {
        let isMissing = rules.needsBackgroundMode && !declarations.backgroundModes.contains(.audio)
        return circumstances.isInBackground && isMissing ? .backgroundModeMissing : nil
    }

    /// Updates the silence of the output, and returns whether it changed.
    mutating func follow(_ circumstances: Circumstances) -> Bool {
        let fault = silence(in: circumstances)
        defer { silencedBy = fault }
        if fault == nil, prohibition(in: circumstances) == nil { reported = nil }
        return fault != silencedBy
    }

    private func silence(in circumstances: Circumstances) -> DeclarationFault? {
        let category = settings.category
        guard !rules.categories.isEmpty else { return nil }
        func fault(_ effect: String) -> DeclarationFault { refusedSettings ?? .category(category, effect) }
        if !category.hasOutput { return fault("which plays no audio") }
        if circumstances.isLocked, rules.silencedByLock.contains(category) {
            return fault("which a locked screen silences")
        }
        if circumstances.isInBackground, rules.silencedInBackground.contains(category) {
            return fault("which is silent in the background")
        }
        if isSwitchSilent, rules.silencedBySwitch.contains(category) {
            return fault("which the Ring/Silent switch silences")
        }
        return nil
    }

    /// Records that a fault is reported, and returns whether it is new.
    mutating func report(_ fault: DeclarationFault) -> Bool {
        defer { reported = fault }
        return reported != fault
    }

    // MARK: Other apps

    /// Begins the audio of another app, and returns whether it interrupts an active session.
    mutating func begin(_ audio: OtherAudio) -> Bool {
        other = audio
        return audio == .nonmixable && !settings.mixes && isActive
    }

    /// Records an interruption by another app, which deactivates the session.
    mutating func interrupt() { (isActive, isInterruptedByOther) = (false, true) }

    /// Activates the session again after an interruption by another app.
    mutating func takeBack() { (isActive, isInterruptedByOther) = (true, false) }

    /// Ends the audio of another app, and returns whether that ends an interruption.
    mutating func endOther() -> Bool {
        defer { (other, isInterruptedByOther) = (nil, false) }
        return isInterruptedByOther
    }

    /// Updates the volume of another app's audio, and returns whether it changed.
    mutating func followDucking() -> Bool {
        let ducks = other != nil && isActive && !rules.categories.isEmpty && settings.options.contains(.duckOthers)
        defer { isDucking = ducks }
        return ducks != isDucking
    }

    /// Interrupts the audio of another app that does not mix with an active session, and returns whether it did.
    mutating func interruptOther() -> Bool {
        guard isActive, !settings.mixes, other == .nonmixable else { return false }
        other = nil
        return true
    }
}
