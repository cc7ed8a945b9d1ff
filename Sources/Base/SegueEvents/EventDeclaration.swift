/// The declaration of a kind of event.
package struct EventDeclaration: Sendable {
    /// The name in logs.
    package let name: String

    package let source: EventSource

    package let level: EventLevel

    /// The meaning, as a sentence.
    package let meaning: String

    /// The values of the text fields that have a closed set of them, by the name of the field.
    package let words: [String: [String]]

    fileprivate init(
        _ key: EventKind.CodingKeys,
        _ source: EventSource,
        _ level: EventLevel,
        _ meaning: String,
        words: [String: [String]] = [:]
    ) {
        (self.source, self.level) = (source, level)
        (name, self.meaning, self.words) = (key.rawValue, meaning, words)
    }
}

extension EventKind {
    /// The declaration of this kind.
    package var declaration: EventDeclaration {
        switch self {
        case .caseBegan: .init(.caseBegan, .regression, .info, "A case begins.")
        case .caseEnded: .init(.caseEnded, .regression, .info, "A case ends, for this reason.")
        case .stepBegan: .init(.stepBegan, .regression, .info, "A step of the scenario begins; steps count from 1.")
        case .finding: .init(.finding, .regression, .error, "A rule was broken.")
        case .platformLifecycle:
            .init(
                .platformLifecycle,
                .platform,
                .notice,
                "The app enters a lifecycle phase.",
                words: EventDeclaration.lifecyclePhases
            )
        case .platformPaused: .init(.platformPaused, .platform, .notice, "The platform pauses the item.")
        case .platformRejected: .init(.platformRejected, .platform, .error, "The platform refuses to play the item.")
        case .platformBelief:
            .init(
                .platformBelief,
                .platform,
                .info,
                "The media service assigns these properties to the current item."
            )
        case .platformRoute:
            .init(
                .platformRoute,
                .platform,
                .notice,
                "The audio route changes; the flag reports whether the video follows it.",
                words: EventDeclaration.audioRoutes
            )
        case .platformOutput:
            .init(
                .platformOutput,
                .platform,
                .notice,
                "The platform silences the app's audio, for this reason, or makes it audible again."
            )
        case .platformOtherAudio:
            .init(.platformOtherAudio, .platform, .notice, "The audio of another app begins or ends.")
        case .appNoted: .init(.appNoted, .app, .debug, "The app records a note for a later decision.")
        case .appDecided: .init(.appDecided, .app, .notice, "The app makes a decision, for this reason.")
        case .appUnavailable: .init(.appUnavailable, .app, .warning, "The app policy cannot run on this platform.")
        case .appException:
            .init(
                .appException,
                .app,
                .error,
                "The app makes a call to which the platform responds with an exception."
            )
        case .appMisdeclared:
            .init(
                .appMisdeclared,
                .app,
                .warning,
                "A declaration of the app silences or stops its audio; the last field is the measure that removes the problem."
            )
        case .backgroundTaskBegan: .init(.backgroundTaskBegan, .app, .info, "The app begins a background task.")
        case .backgroundTaskEnded: .init(.backgroundTaskEnded, .app, .info, "The app ends its background task.")
        case .backgroundTaskExpired:
            .init(.backgroundTaskExpired, .app, .warning, "The platform ends the app's background task.")
        case .playerCommand: .init(.playerCommand, .player, .info, "The app or the user calls the player.")
        case .playerRate: .init(.playerRate, .player, .info, "The player's rate changes.")
        case .playerTimeControl:
            .init(
                .playerTimeControl,
                .player,
                .info,
                "The player is now paused, waiting (for this reason), or playing.",
                words: EventDeclaration.timeControl
            )
        case .queueInserted: .init(.queueInserted, .player, .info, "An item enters the queue.")
        case .queueRefused: .init(.queueRefused, .player, .warning, "The queue refuses an item.")
        case .queueRemoved: .init(.queueRemoved, .player, .info, "An item leaves the queue.")
        case .queueCurrent: .init(.queueCurrent, .player, .info, "An item becomes the current one.")
        case .queueEmptied: .init(.queueEmptied, .player, .info, "The queue is empty now.")
        case .itemLoading: .init(.itemLoading, .player, .info, "The item begins to load.")
        case .itemTracksKnown: .init(.itemTracksKnown, .player, .info, "The item's tracks are known from its media.")
        case .itemReadyToPlay:
            .init(
                .itemReadyToPlay,
                .player,
                .notice,
                "The item is ready to play; a duration of -1 stands for a stream without an end."
            )
        case .itemDurationKnown:
            .init(.itemDurationKnown, .player, .info, "The duration of an item that had none is now known.")
        case .itemFailed: .init(.itemFailed, .player, .error, "The item has failed permanently.")
        case .itemShowsFailure:
            .init(
                .itemShowsFailure,
                .player,
                .warning,
                "The item reports failure after a request that will be retried."
            )
        case .itemPlayedToEnd: .init(.itemPlayedToEnd, .player, .notice, "The item played to its end.")
        case .itemFailedToPlayToEnd:
            .init(.itemFailedToPlayToEnd, .player, .error, "The item began but could not play to its end.")
        case .itemStalled: .init(.itemStalled, .player, .warning, "The buffer ran empty during playback.")
        case .itemTimeJumped:
            .init(.itemTimeJumped, .player, .info, "The item's position changed without being played.")
        case .bufferEmpty:
            .init(.bufferEmpty, .player, .debug, "The buffer at the playhead becomes empty, or stops being empty.")
        case .bufferLikelyToKeepUp:
            .init(.bufferLikelyToKeepUp, .player, .debug, "The estimate changes of playing on without a stall.")
        case .bufferFull:
            .init(
                .bufferFull,
                .player,
                .debug,
                "The buffer becomes full, so that loading pauses, or stops being full."
            )
        case .seekBegan: .init(.seekBegan, .player, .info, "A seek begins.")
        case .seekEnded: .init(.seekEnded, .player, .info, "A seek ends, finished or replaced by another one.")
        case .soundBegan: .init(.soundBegan, .player, .info, "The audio begins at this position.")
        case .soundEnded: .init(.soundEnded, .player, .info, "The audio ends at this position.")
        case .pictureBegan: .init(.pictureBegan, .player, .debug, "The video begins at this position.")
        case .pictureEnded: .init(.pictureEnded, .player, .debug, "The video ends at this position.")
        case .interstitialBegan:
            .init(.interstitialBegan, .player, .info, "The item pauses at this position for an interstitial.")
        case .interstitialAssetBegan:
            .init(
                .interstitialAssetBegan,
                .player,
                .info,
                "An asset of the interstitial begins to play; it has a name like an item."
            )
        case .interstitialFailed:
            .init(
                .interstitialFailed,
                .player,
                .warning,
                "The interstitial, or one of its assets, cannot play and is skipped."
            )
        case .interstitialEnded:
            .init(
                .interstitialEnded,
                .player,
                .info,
                "The interstitial ends after playing this many seconds; the item continues at this position.",
                words: EventDeclaration.interstitialEnds
            )
        case .scanBegan:
            .init(
                .scanBegan,
                .player,
                .info,
                "A scan of the item begins at this position, with this I-frame playlist; a rate below 0 is backward."
            )
        case .scanFrame: .init(.scanFrame, .player, .debug, "The scan shows the frame that begins at this position.")
        case .scanEnded:
            .init(
                .scanEnded,
                .player,
                .info,
                "The scan ends after this many frames; the item continues at this position.",
                words: EventDeclaration.scanEnds
            )
        case .scanRefused: .init(.scanRefused, .player, .warning, "The item cannot be scanned.")
        case .playlistLoaded: .init(.playlistLoaded, .player, .info, "A media playlist was loaded.")
        case .playlistVariantChosen:
            .init(.playlistVariantChosen, .player, .info, "A variant of a multivariant playlist was chosen.")
        case .segmentLoaded:
            .init(
                .segmentLoaded,
                .player,
                .debug,
                "A segment, or a piece of a file or stream, was loaded; start is its position in the item, and seconds the time that it took."
            )
        case .streamState:
            .init(
                .streamState,
                .player,
                .info,
                "The player of an endless stream enters a state, or has a new stop reason.",
                words: EventDeclaration.streamStates
            )
        case .streamTitle:
            .init(.streamTitle, .player, .info, "An endless stream announces the title that plays from here on.")
        case .accessLogEntry: .init(.accessLogEntry, .player, .info, "An access log entry was closed.")
        case .errorLogEntry: .init(.errorLogEntry, .player, .warning, "An error log entry was added.")
        case .requestBegan: .init(.requestBegan, .link, .debug, "A request was sent.")
        case .requestAnswered: .init(.requestAnswered, .link, .debug, "The head of a response arrived.")
        case .requestFinished:
            .init(.requestFinished, .link, .debug, "A response is complete; seconds count from the request.")
        case .requestFailed:
            .init(.requestFailed, .link, .warning, "A request failed.", words: EventDeclaration.requestFailures)
        case .requestCancelled:
            .init(.requestCancelled, .link, .debug, "A request was cancelled after this many bytes of its response.")
        case .linkOpened:
            .init(.linkOpened, .link, .info, "A client connected to the proxy, which connects to the server.")
        case .linkClosed:
            .init(
                .linkClosed,
                .link,
                .info,
                "A connection through the proxy ended; down and up are the bytes delivered each way."
            )
        case .linkFailed: .init(.linkFailed, .link, .warning, "The proxy could not connect a client to its server.")
        case .linkRequest:
            .init(
                .linkRequest,
                .link,
                .info,
                "A request through the proxy ended, as its client saw it: firstByte and seconds count from the request to the first byte (-1 without one) and to the end; end is whole, cancelled (by the client), or a reason."
            )
        case .linkUnread:
            .init(
                .linkUnread,
                .link,
                .info,
                "The proxy does not read this connection from here on, as it carries tls, upgraded, or other data; host is the server's name if known.",
                words: EventDeclaration.unreadData
            )
        case .linkBypassed:
            .init(
                .linkBypassed,
                .link,
                .warning,
                "A playlist that crossed the link names a server that the link does not reach; requests to it bypass the link."
            )
        case .linkFault:
            .init(.linkFault, .link, .notice, "A request through the proxy meets a fault of the network.")
        case .linkChanged:
            .init(.linkChanged, .link, .notice, "A link of the proxy or of the run switched to another network.")
        case .linkLateness:
            .init(
                .linkLateness,
                .link,
                .info,
                "The delays of the proxy's deliveries after their due time, in seconds; written when the link ends."
            )
        case .originServed: .init(.originServed, .origin, .debug, "The server answered a request.")
        case .accessRefused:
            .init(
                .accessRefused,
                .origin,
                .warning,
                "An attempt used a wrong password or an invalid key; name is empty for a key."
            )
        case .originMeasured:
            .init(
                .originMeasured,
                .origin,
                .debug,
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
