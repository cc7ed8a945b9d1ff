/// The declaration of a kind of event.
package struct EventDeclaration: Sendable {
    /// The name in logs.
    package let name: String

    package let source: EventSource

    package let level: EventLevel

    /// The meaning, as a sentence.
    package let meaning: String

    /// The values of the text fields that have a closed set of them, by the name of the field.
    package let words: Words

    package typealias Words = [String: [String]]

    private init(_ name: String, from source: EventSource, at level: EventLevel, _ meaning: String, words: Words) {
        (self.name, self.source, self.level) = (name, source, level)
        (self.meaning, self.words) = (meaning, words)
    }

    static func debug(_ name: String, from source: EventSource, _ meaning: String, words: Words = [:]) -> Self {
        Self(name, from: source, at: .debug, meaning, words: words)
    }

    static func info(_ name: String, from source: EventSource, _ meaning: String, words: Words = [:]) -> Self {
        Self(name, from: source, at: .info, meaning, words: words)
    }

    static func notice(_ name: String, from source: EventSource, _ meaning: String, words: Words = [:]) -> Self {
        Self(name, from: source, at: .notice, meaning, words: words)
    }

    static func warning(_ name: String, from source: EventSource, _ meaning: String, words: Words = [:]) -> Self {
        Self(name, from: source, at: .warning, meaning, words: words)
    }

    static func error(_ name: String, from source: EventSource, _ meaning: String, words: Words = [:]) -> Self {
        Self(name, from: source, at: .error, meaning, words: words)
    }
}

extension EventKind {
    /// The declaration of this kind.
    package var declaration: EventDeclaration {
        switch self {
        case .caseBegan: .info("case.began", from: .regression, "A case begins.")
        case .caseEnded: .info("case.ended", from: .regression, "A case ends, for this reason.")
        case .stepBegan: .info("step.began", from: .regression, "A step of the scenario begins; steps count from 1.")
        case .finding: .error("finding", from: .regression, "A rule was broken.")
        case .platformLifecycle:
            .notice(
                "platform.lifecycle",
                from: .platform,
                "The app enters a lifecycle phase.",
                words: EventDeclaration.lifecyclePhases
            )
        case .platformPaused: .notice("platform.paused", from: .platform, "The platform pauses the item.")
        case .platformRejected: .error("platform.rejected", from: .platform, "The platform refuses to play the item.")
        case .platformBelief:
            .info("platform.belief", from: .platform, "The media service assigns these properties to the current item.")
        case .platformRoute:
            .notice(
                "platform.route",
                from: .platform,
                "The audio route changes; the flag reports whether the video follows it.",
                words: EventDeclaration.audioRoutes
            )
        case .platformOutput:
            .notice(
                "platform.output",
                from: .platform,
                "The platform silences the app's audio, for this reason, or makes it audible again."
            )
        case .platformOtherAudio:
            .notice("platform.otherAudio", from: .platform, "The audio of another app begins or ends.")
        case .platformOtherAudioDucked:
            .notice(
                "platform.otherAudioDucked",
                from: .platform,
                "The app's audio session lowers the volume of another app's audio, or restores it."
            )
        case .platformRemoteCommand:
            .notice(
                "platform.remoteCommand",
                from: .platform,
                "The user sends the app a command from outside of it.",
                words: EventDeclaration.remoteCommands
            )
        case .appNoted: .debug("app.noted", from: .app, "The app records a note for a later decision.")
        case .appDecided: .notice("app.decided", from: .app, "The app makes a decision, for this reason.")
        case .appUnavailable: .warning("app.unavailable", from: .app, "The app policy cannot run on this platform.")
        case .appException:
            .error(
                "app.exception",
                from: .app,
                "The app makes a call to which the platform responds with an exception."
            )
        case .appMisdeclared:
            .warning(
                "app.misdeclared",
                from: .app,
                "A declaration of the app silences or stops its audio; the last field is the measure that removes the problem."
            )
        case .appTerminated:
            .error(
                "app.terminated",
                from: .app,
                "The app's process ends unexpectedly: it crashes, or the platform terminates it for its use of memory.",
                words: EventDeclaration.terminationCauses
            )
        case .backgroundTaskBegan: .info("background.taskBegan", from: .app, "The app begins a background task.")
        case .backgroundTaskEnded: .info("background.taskEnded", from: .app, "The app ends its background task.")
        case .backgroundTaskExpired:
            .warning("background.taskExpired", from: .app, "The platform ends the app's background task.")
        case .playerCommand: .info("player.command", from: .player, "The app or the user calls the player.")
        case .playerRate: .info("player.rate", from: .player, "The player's rate changes.")
        case .playerTimeControl:
            .info(
                "player.timeControl",
                from: .player,
                "The player is now paused, waiting (for this reason), or playing.",
                words: EventDeclaration.timeControl
            )
        case .queueInserted: .info("queue.inserted", from: .player, "An item enters the queue.")
        case .queueRefused: .warning("queue.refused", from: .player, "The queue refuses an item.")
        case .queueRemoved: .info("queue.removed", from: .player, "An item leaves the queue.")
        case .queueCurrent: .info("queue.current", from: .player, "An item becomes the current one.")
        case .queueEmptied: .info("queue.emptied", from: .player, "The queue is empty now.")
        case .itemLoading: .info("item.loading", from: .player, "The item begins to load.")
        case .itemTracksKnown: .info("item.tracksKnown", from: .player, "The item's tracks are known from its media.")
        case .itemMediaTypesAvailable:
            .info(
                "item.mediaTypesAvailable",
                from: .player,
                "A movie player knows the types of the item's media (MPMovieMediaTypesAvailableNotification)."
            )
        case .itemStartMoved:
            .notice(
                "item.startMoved",
                from: .player,
                "The item starts at the start of a segment, and not at the position that was sought in it."
            )
        case .itemTrackUnchanged:
            .warning(
                "item.trackUnchanged",
                from: .player,
                "A call that enables or disables the item's video has no effect, for this reason."
            )
        case .itemReadyToPlay:
            .notice(
                "item.readyToPlay",
                from: .player,
                "The item is ready to play; a duration of -1 stands for a stream without an end."
            )
        case .itemDurationKnown:
            .info("item.durationKnown", from: .player, "The duration of an item that had none is now known.")
        case .itemFailed: .error("item.failed", from: .player, "The item has failed permanently.")
        case .itemShowsFailure:
            .warning(
                "item.showsFailure",
                from: .player,
                "The item reports failure after a request that will be retried."
            )
        case .itemPlayedToEnd: .notice("item.playedToEnd", from: .player, "The item played to its end.")
        case .itemFailedToPlayToEnd:
            .error("item.failedToPlayToEnd", from: .player, "The item began but could not play to its end.")
        case .itemStalled: .warning("item.stalled", from: .player, "The buffer ran empty during playback.")
        case .itemTimeJumped:
            .info("item.timeJumped", from: .player, "The item's position changed without being played.")
        case .bufferEmpty:
            .debug("buffer.empty", from: .player, "The buffer at the playhead becomes empty, or stops being empty.")
        case .bufferLikelyToKeepUp:
            .debug("buffer.likelyToKeepUp", from: .player, "The estimate changes of playing on without a stall.")
        case .bufferFull:
            .debug(
                "buffer.full",
                from: .player,
                "The buffer becomes full, so that loading pauses, or stops being full."
            )
        case .seekBegan: .info("seek.began", from: .player, "A seek begins.")
        case .seekEnded: .info("seek.ended", from: .player, "A seek ends, finished or replaced by another one.")
        case .soundBegan: .info("sound.began", from: .player, "The audio begins at this position.")
        case .soundEnded: .info("sound.ended", from: .player, "The audio ends at this position.")
        case .pictureBegan: .debug("picture.began", from: .player, "The video begins at this position.")
        case .pictureEnded: .debug("picture.ended", from: .player, "The video ends at this position.")
        case .pictureQueued:
            .warning(
                "picture.queued",
                from: .player,
                "The video layer has queued so many frames in the background, where nobody sees them."
            )
        case .pictureHurried:
            .warning(
                "picture.hurried",
                from: .player,
                "The video layer shows the frames that it queued in the background, so many times as fast."
            )
        case .interstitialBegan:
            .info("interstitial.began", from: .player, "The item pauses at this position for an interstitial.")
        case .interstitialAssetBegan:
            .info(
                "interstitial.assetBegan",
                from: .player,
                "An asset of the interstitial begins to play; it has a name like an item."
            )
        case .interstitialFailed:
            .warning(
                "interstitial.failed",
                from: .player,
                "The interstitial, or one of its assets, cannot play and is skipped."
            )
        case .interstitialEnded:
            .info(
                "interstitial.ended",
                from: .player,
                "The interstitial ends after playing this many seconds; the item continues at this position.",
                words: EventDeclaration.interstitialEnds
            )
        case .scanBegan:
            .info(
                "scan.began",
                from: .player,
                "A scan of the item begins at this position, with this I-frame playlist; a rate below 0 is backward."
            )
        case .scanFrame: .debug("scan.frame", from: .player, "The scan shows the frame that begins at this position.")
        case .scanEnded:
            .info(
                "scan.ended",
                from: .player,
                "The scan ends after this many frames; the item continues at this position.",
                words: EventDeclaration.scanEnds
            )
        case .scanRefused: .warning("scan.refused", from: .player, "The item cannot be scanned.")
        case .playlistLoaded: .info("playlist.loaded", from: .player, "A media playlist was loaded.")
        case .playlistVariantChosen:
            .info("playlist.variantChosen", from: .player, "A variant of a multivariant playlist was chosen.")
        case .segmentLoaded:
            .debug(
                "segment.loaded",
                from: .player,
                "A segment, or a piece of a file or stream, was loaded; start is its position in the item, and seconds the time that it took."
            )
        case .streamState:
            .info(
                "stream.state",
                from: .player,
                "The player of an endless stream enters a state, or has a new stop reason.",
                words: EventDeclaration.streamStates
            )
        case .streamTitle:
            .info("stream.title", from: .player, "An endless stream announces the title that plays from here on.")
        case .accessLogEntry: .info("access.logEntry", from: .player, "An access log entry was closed.")
        case .errorLogEntry: .warning("error.logEntry", from: .player, "An error log entry was added.")
        case .requestBegan: .debug("request.began", from: .link, "A request was sent.")
        case .requestAnswered: .debug("request.answered", from: .link, "The head of a response arrived.")
        case .requestFinished:
            .debug("request.finished", from: .link, "A response is complete; seconds count from the request.")
        case .requestFailed:
            .warning("request.failed", from: .link, "A request failed.", words: EventDeclaration.requestFailures)
        case .requestCancelled:
            .debug("request.cancelled", from: .link, "A request was cancelled after this many bytes of its response.")
        case .linkOpened:
            .info("link.opened", from: .link, "A client connected to the proxy, which connects to the server.")
        case .linkClosed:
            .info(
                "link.closed",
                from: .link,
                "A connection through the proxy ended; down and up are the bytes delivered each way."
            )
        case .linkFailed: .warning("link.failed", from: .link, "The proxy could not connect a client to its server.")
        case .linkRequest:
            .info(
                "link.request",
                from: .link,
                "A request through the proxy ended, as its client saw it: firstByte and seconds count from the request to the first byte (-1 without one) and to the end; end is whole, cancelled (by the client), or a reason."
            )
        case .linkUnread:
            .info(
                "link.unread",
                from: .link,
                "The proxy does not read this connection from here on, as it carries tls, upgraded, or other data; host is the server's name if known.",
                words: EventDeclaration.unreadData
            )
        case .linkBypassed:
            .warning(
                "link.bypassed",
                from: .link,
                "A playlist that crossed the link names a server that the link does not reach; requests to it bypass the link."
            )
        case .linkFault:
            .notice("link.fault", from: .link, "A request through the proxy meets a fault of the network.")
        case .linkChanged:
            .notice("link.changed", from: .link, "A link of the proxy or of the run switched to another network.")
        case .linkLateness:
            .info(
                "link.lateness",
                from: .link,
                "The delays of the proxy's deliveries after their due time, in seconds; written when the link ends."
            )
        case .originServed: .debug("origin.served", from: .origin, "The server answered a request.")
        case .accessRefused:
            .warning(
                "access.refused",
                from: .origin,
                "An attempt used a wrong password or an invalid key; name is empty for a key."
            )
        case .originMeasured:
            .debug(
                "origin.measured",
                from: .origin,
                "The cost of a resource on a real server, as charged in virtual time: seconds to the first byte, and the send rate in bits per second (0 for unlimited)."
            )
        }
    }
}

// The words are those of the types that fill the events; tests compare both.
extension EventDeclaration {
    fileprivate static let lifecyclePhases = [
        "phase": [
            "willResignActive", "mediaSuspended", "didEnterBackground", "suspended", "resumed", "willEnterForeground",
            "didBecomeActive", "backgroundTaskExpired", "locked", "unlocked", "terminated", "interruptionBegan",
            "interruptionEnded", "interruptionEnded(shouldResume)", "routeChanged", "mediaServicesReset",
        ]
    ]
    fileprivate static let remoteCommands = [
        "command": ["play", "pause", "toggle"], "sender": ["lock-screen", "headphones", "multitasking-bar"],
    ]
    fileprivate static let terminationCauses = ["cause": ["crash", "memory"]]
    fileprivate static let audioRoutes = ["route": ["speaker", "headphones", "airplay"]]
    fileprivate static let timeControl = [
        "status": ["paused", "waiting", "playing"],
        // An empty text means that the player does not wait.
        "waitingFor": [
            "", "noItemToPlay", "evaluatingBufferingRate", "toMinimizeStalls", "mediaService", "interstitialEvent",
        ],
    ]
    fileprivate static let interstitialEnds = ["reason": ["played", "limit", "failed", "empty", "seek", "removed"]]
    fileprivate static let scanEnds = ["reason": ["command", "start", "end", "failed", "interrupted"]]
    fileprivate static let streamStates = [
        "state": [
            "initialised", "starting", "waitingForData", "waitingForQueueToStart", "playing", "buffering", "stopping",
            "stopped", "paused",
        ],
        "stopReason": ["none", "endOfFile", "userAction", "error", "temporary"],
    ]
    fileprivate static let requestFailures = [
        "reason": [
            "badURL", "cannotResolve", "cannotConnect", "untrusted", "connectionLost", "timedOut", "tooLarge",
            "truncated", "tooManyRedirects", "other",
        ]
    ]
    fileprivate static let unreadData = ["what": ["tls", "upgraded", "other"]]
}
