package import SegueData

// Size: one property for each field of an app's file.
/// The background behavior of one release of an app, read from a file under `Harness/apps`.
package struct AppProfile: FieldGroup {
    /// The name in options and reports, such as `switch-when-ready`.
    package private(set) var name = ""

    /// The name for people.
    package private(set) var title = ""

    /// The app, of which the policy is a release; nil without one.
    package private(set) var app: String?

    /// The version of the app.
    package private(set) var version: String?

    /// The rules of the app, in order.
    package private(set) var reactions: [Reaction] = []

    /// The source of each field, by its key.
    package private(set) var sources: [String: String] = [:]

    @ProfileField(
        "player",
        .word,
        meaning: "The kind of player that the app needs. The policy cannot run on a platform without it."
    )
    package var player: PlatformProfile.PlayerKind

    @ProfileField(
        "switches",
        .word,
        meaning: "The condition, in didEnterBackground, for switching to the background rendition."
    )
    package var switches: Condition

    @ProfileField("audio-only", .word, meaning: "The handling of an item without video.")
    package var audioOnly: AudioOnly

    @ProfileField("plays", .word, meaning: "The moment at which the app calls `play` after a switch.")
    package var plays: PlayTime

    @ProfileField(
        "resumes",
        .word,
        meaning: """
            The condition, in didEnterBackground, for resuming an item that the platform has paused, if the app does \
            not switch.
            """
    )
    package var resumes: Condition

    @ProfileField("layer", .word, meaning: "The handling of the video layer.")
    package var layer: Layer

    @ProfileField(
        "background-task",
        .word,
        meaning: "The background task that the app holds. The platform may suspend the app when the task ends."
    )
    package var backgroundTask: TaskHold

    @ProfileField("opens", .word, meaning: "The playlist of an item that the app opens.")
    package var opens: Stream

    @ProfileField(
        "video",
        .word,
        meaning: "The handling of the video of a multivariant stream while the app is in the background."
    )
    package var video: Video

    @ProfileField(
        "starts",
        .word,
        meaning: "The position at which the item of the other rendition starts after a switch."
    )
    package var starts: Start

    @ProfileField("preloads", .word, meaning: "The media that the app loads ahead of a switch.")
    package var preloads: Preload

    @ProfileField("rest-of-queue", .word, meaning: "The handling of the items behind the one that is switched.")
    package var restOfQueue: RestOfQueue

    @ProfileField(
        "recovers",
        .word,
        meaning: "The moment at which the app recreates an item that the platform rejected."
    )
    package var recovers: Recovery

    @ProfileField(
        "playback-policy",
        .word,
        meaning: "The policy for video in the background that the app sets, on platforms that have one."
    )
    package var playbackPolicy: PlatformProfile.PlaybackPolicy

    @ProfileField(
        "foreground-service",
        .flag,
        meaning: "The app runs a foreground service while it plays in the background."
    )
    package var hasForegroundService: Bool

    @ProfileField(
        "after-interruption",
        .word,
        meaning: "The reaction to the end of an interruption after which playback should resume."
    )
    package var afterInterruption: Recovering

    @ProfileField("after-reset", .word, meaning: "The reaction to a reset of the media services.")
    package var afterReset: Recovering

    @ProfileField("background-modes", .words(), meaning: "The services in `UIBackgroundModes` of the app's Info.plist.")
    package var backgroundModes: [BackgroundMode]

    @ProfileSection("audio-session", meaning: "The app's audio session (`AVAudioSession`).")
    package var audioSession: AudioSession

    /// The declarations that replace those of the file, for a search.
    private var changedDeclarations: AppDeclarations?

    /// The declarations on which the app's audio depends.
    package var declarations: AppDeclarations { changedDeclarations ?? writtenDeclarations }

    package init() {}
}

extension AppProfile {
    /// Reads a file; the one in `based-on` lies beside it or in the folder.
    ///
    /// - Throws: ``HarnessError`` with file, line, and key.
    package init(contentsOfFile path: String, in harness: HarnessFolder? = nil) throws(HarnessError) {
        try self.init(HarnessFile.fields(ofFileAt: path, basedOn: .apps, in: harness), in: harness)
    }

    /// Reads the text of a file; the one in `based-on` lies beside it.
    ///
    /// - Throws: ``HarnessError`` with file, line, and key.
    package init(yaml: String, file: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(of: yaml, file: file, basedOn: .apps), in: nil)
    }

    /// Returns the same app with other declarations.
    package func declaring(_ declarations: AppDeclarations) -> AppProfile {
        var copy = self
        copy.changedDeclarations = declarations
        return copy
    }

    private init(_ source: HarnessFields, in harness: HarnessFolder?) throws(HarnessError) {
        var file = source
        reactions = try Reaction.list("reactions", in: &file)
        (app, version) = (try file.text("app"), try file.text("version"))
        guard (app == nil) == (version == nil) else {
            throw file.error(app == nil ? "app" : "version", "is missing; app and version name a release together")
        }
        let keys = ["name", "title", "app", "version"] + fields.map(\.key) + sections.map(\.key)
        var reader = FieldReader(file, keys: keys) {
            HarnessFile.example(of: .apps, beside: source.file, in: harness)
        }
        name = try reader.text("name")
        title = try reader.text("title")
        try read(from: &reader)
        for section in sections { try section.read(from: &reader) }
        try reader.finish()
        sources = reader.sources
    }
}
