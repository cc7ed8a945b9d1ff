package import Harness

/// What one release of the app does about the background: data, read from a file under `Harness/apps`.
package struct AppProfile: Sendable, Equatable {
    /// The name that options and reports use, such as `switch-when-ready`.
    package let name: String

    /// The name for people.
    package let title: String

    /// The kind of player that it needs.
    package let player: PlatformProfile.PlayerKind

    /// When it switches to the background rendition.
    package let switches: Condition

    /// What it does with an item that has no video.
    package let audioOnly: AudioOnly

    /// When it calls `play` on the item that it switched to.
    package let plays: PlayTime

    /// When it resumes the item in place after the platform has paused it, where it does not switch.
    package let resumes: Condition

    /// What it does with the video layer.
    package let layer: Layer

    /// How long it holds a background task.
    package let backgroundTask: TaskHold

    /// Where each field's value is known from, by key.
    package let sources: [String: String]

    /// When the app acts, in didEnterBackground.
    package enum Condition: String, Sendable, CaseIterable {
        case never
        /// When `rate` is not 0 then.
        case ifRate = "if-rate"
        /// When it noted in willResignActive that it was playing.
        case ifWasPlaying = "if-was-playing"
    }

    /// What the app does with an item that has no video.
    package enum AudioOnly: String, Sendable, CaseIterable {
        /// The same as with one that has.
        case switches = "switch"
        /// Nothing.
        case leaves = "leave"
        /// It resumes it in place.
        case resumes = "resume"
    }

    /// When the app calls `play`.
    package enum PlayTime: String, Sendable, CaseIterable {
        case atOnce = "at-once"
        case whenReady = "when-ready"
    }

    /// What the app does with the video layer.
    package enum Layer: String, Sendable, CaseIterable {
        /// It leaves it in.
        case keeps = "keep"
        /// It takes it out in willResignActive and puts it back on the way to the foreground.
        case detaches = "detach"
    }

    /// How long the app holds a background task.
    package enum TaskHold: String, Sendable, CaseIterable {
        case none
        /// From the switch until the new item is ready or has failed.
        case untilReady = "until-ready"
    }

    /// A policy from its file.
    ///
    /// - Throws: ``HarnessError`` with file, line and key.
    package init(contentsOfFile path: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(ofFileAt: path))
    }

    /// A policy from the text of a file.
    ///
    /// - Parameters:
    ///   - yaml: The text; `Harness/apps/README.md` has the schema.
    ///   - file: The file's name, for errors.
    /// - Throws: ``HarnessError`` with file, line and key.
    package init(yaml: String, file: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(of: yaml, file: file))
    }

    private init(_ fields: HarnessFields) throws(HarnessError) {
        var root = SourcedFields(
            fields,
            keys: [
                "name", "title", "player", "switches", "audio-only", "plays", "resumes", "layer", "background-task",
            ]
        )
        name = try root.text("name")
        title = try root.text("title")
        player = try root.word("player")
        switches = try root.word("switches")
        audioOnly = try root.word("audio-only")
        plays = try root.word("plays")
        resumes = try root.word("resumes")
        layer = try root.word("layer")
        backgroundTask = try root.word("background-task")
        try root.finish()
        sources = root.sources
    }
}
