package import SegueData

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

    /// Which of an item's playlists it opens.
    package let opens: Stream

    /// What it does with the video of a multivariant stream while it is away.
    package let video: Video

    /// Where an item begins that is switched to.
    package let starts: Start

    /// Whether it keeps the background rendition loaded at the playhead, and on return the full one before it switches.
    package let preloads: Preload

    /// What it does with the items behind the one that it switches.
    package let restOfQueue: RestOfQueue

    /// When it makes an item again that the platform rejected.
    package let recovers: Recovery

    /// The policy for items with video in the background that it sets, where the platform has such a setting.
    package let playbackPolicy: PlatformProfile.PlaybackPolicy

    /// Whether it runs a foreground service while it plays in the background.
    package let hasForegroundService: Bool

    /// What it does when an interruption ends and it is told to go on.
    package let afterInterruption: Wish

    /// What it does when the media services were reset.
    package let afterReset: Wish

    /// Its own rules, in order.
    package let reactions: [Reaction]

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
        /// It takes it out in didEnterBackground only.
        case detachesLate = "detach-late"
        /// It has none.
        case none
    }

    /// How long the app holds a background task.
    package enum TaskHold: String, Sendable, CaseIterable {
        case none
        /// From the switch until the new item is ready or has failed.
        case untilReady = "until-ready"
    }

    /// Which of an item's playlists the app opens.
    package enum Stream: String, Sendable, CaseIterable {
        /// The media playlist with everything in one rendition.
        case single
        /// The multivariant playlist.
        case multivariant
    }

    /// What the app does with the video of a multivariant stream.
    package enum Video: String, Sendable, CaseIterable {
        case keeps = "keep"
        /// It lets go of the video rendition in willResignActive and takes it up again in didBecomeActive.
        case drops = "drop"
    }

    /// Where an item begins that is switched to.
    package enum Start: String, Sendable, CaseIterable {
        /// Exactly where the former one was.
        case exact
        /// At the start of the segment in which the former one was.
        case segment
    }

    /// What the app loads ahead of a switch.
    package enum Preload: String, Sendable, CaseIterable {
        case nothing
        /// The item that it will switch to.
        case nextRendition = "next-rendition"
    }

    /// What the app does with the items behind the one that it switches.
    package enum RestOfQueue: String, Sendable, CaseIterable {
        case keeps = "keep"
        /// It switches them as well.
        case switches = "switch"
    }

    /// When the app makes an item again that the platform rejected.
    package enum Recovery: String, Sendable, CaseIterable {
        /// When it is back in the foreground.
        case onReturn = "on-return"
        /// At once, to be played when it is ready.
        case atOnce = "at-once"
    }

    /// Whether the app does what the user would wish.
    package enum Wish: String, Sendable, CaseIterable {
        case nothing
        /// It goes on playing, when it was.
        case goesOn = "go-on"
    }

    /// A policy from its file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - harness: Where the policy that it is based on is looked for when that is not beside it.
    /// - Throws: ``HarnessError`` with file, line and key.
    package init(contentsOfFile path: String, in harness: HarnessFolder? = nil) throws(HarnessError) {
        try self.init(HarnessFile.fields(ofFileAt: path, basedOn: .apps, in: harness))
    }

    /// A policy from the text of a file.
    ///
    /// - Parameters:
    ///   - yaml: The text; `Harness/apps/README.md` has the schema.
    ///   - file: The file's name, for errors; what it is based on lies beside it.
    /// - Throws: ``HarnessError`` with file, line and key.
    package init(yaml: String, file: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(of: yaml, file: file, basedOn: .apps))
    }

    private init(_ source: HarnessFields) throws(HarnessError) {
        var fields = source
        reactions = try Reaction.list("reactions", in: &fields)
        var root = SourcedFields(
            fields,
            keys: [
                "name", "title", "player", "switches", "audio-only", "plays", "resumes", "layer", "background-task",
                "opens", "video", "starts", "preloads", "rest-of-queue", "recovers", "playback-policy",
                "foreground-service", "after-interruption", "after-reset",
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
        opens = try root.word("opens")
        video = try root.word("video")
        starts = try root.word("starts")
        preloads = try root.word("preloads")
        restOfQueue = try root.word("rest-of-queue")
        recovers = try root.word("recovers")
        playbackPolicy = try root.word("playback-policy")
        hasForegroundService = try root.flag("foreground-service")
        afterInterruption = try root.word("after-interruption")
        afterReset = try root.word("after-reset")
        try root.finish()
        sources = root.sources
    }
}
