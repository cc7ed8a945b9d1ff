extension EventDeclaration {
    /// The declaration of a kind of event.
    // Size: a table, an entry for each kind.
    static func of(_ kind: EventKind) -> EventDeclaration {
        switch kind {
        case .caseBegan: .info(.caseBegan, from: .regression, "A case begins.")
        case .caseEnded: .info(.caseEnded, from: .regression, "A case ends, for this reason.")
        case .stepBegan: .info(.stepBegan, from: .regression, "A step of the scenario begins; steps count from 1.")
        case .finding: .error(.finding, from: .regression, "A rule was broken.")
        case .platformLifecycle:
            .notice(
                .platformLifecycle,
                from: .platform,
                "The app enters a lifecycle phase.",
                words: lifecyclePhases
            )
        case .platformPaused: .notice(.platformPaused, from: .platform, "The platform pauses the item.")
        case .platformRejected: .error(.platformRejected, from: .platform, "The platform refuses to play the item.")
        case .platformBelief:
            .info(.platformBelief, from: .platform, "The media service assigns these properties to the current item.")
        case .platformRoute:
            .notice(
                .platformRoute,
                from: .platform,
                "The audio route changes; the flag reports whether the video follows it.",
                words: audioRoutes
            )
        case .platformOutput:
            .notice(
                .platformOutput,
                from: .platform,
                "The platform silences the app's audio, for this reason, or makes it audible again."
            )
        case .platformOtherAudio:
            .notice(.platformOtherAudio, from: .platform, "The audio of another app begins or ends.")
        case .platformOtherAudioDucked:
            .notice(
                .platformOtherAudioDucked,
                from: .platform,
                "The app's audio session lowers the volume of another app's audio, or restores it."
            )
        case .platformRemoteCommand:
            .notice(
                .platformRemoteCommand,
                from: .platform,
                "The user sends the app a command from outside of it.",
                words: remoteCommands
            )
        case .appNoted: .debug(.appNoted, from: .app, "The app records a note for a later decision.")
        case .appDecided: .notice(.appDecided, from: .app, "The app makes a decision, for this reason.")
        case .appUnavailable: .warning(.appUnavailable, from: .app, "The app policy cannot run on this platform.")
        case .appException:
            .error(
                .appException,
                from: .app,
                "The app makes a call to which the platform responds with an exception."
            )
        case .appMisdeclared:
            .warning(
                .appMisdeclared,
                from: .app,
                "A declaration of the app silences or stops its audio; the last field is the measure that removes the problem."
            )
        case .appTerminated:
            .error(
                .appTerminated,
                from: .app,
                "The app's process ends unexpectedly: it crashes, or the platform terminates it for its use of memory.",
                words: terminationCauses
            )
        case .backgroundTaskBegan: .info(.backgroundTaskBegan, from: .app, "The app begins a background task.")
        case .backgroundTaskEnded: .info(.backgroundTaskEnded, from: .app, "The app ends its background task.")
        case .backgroundTaskExpired:
            .warning(.backgroundTaskExpired, from: .app, "The platform ends the app's background task.")
        case .playerCommand: .info(.playerCommand, from: .player, "The app or the user calls the player.")
        case .playerRate: .info(.playerRate, from: .player, "The player's rate changes.")
        case .playerTimeControl:
            .info(
                .playerTimeControl,
                from: .player,
                "The player is now paused, waiting (for this reason), or playing.",
                words: timeControl
            )
        case .queueInserted: .info(.queueInserted, from: .player, "An item enters the queue.")
        case .queueRefused: .warning(.queueRefused, from: .player, "The queue refuses an item.")
        case .queueRemoved: .info(.queueRemoved, from: .player, "An item leaves the queue.")
        case .queueCurrent: .info(.queueCurrent, from: .player, "An item becomes the current one.")
        case .queueEmptied: .info(.queueEmptied, from: .player, "The queue is empty now.")
        case .itemLoading: .info(.itemLoading, from: .player, "The item begins to load.")
        case .itemTracksKnown: .info(.itemTracksKnown, from: .player, "The item's tracks are known from its media.")
        case .itemMediaTypesAvailable:
            .info(
                .itemMediaTypesAvailable,
                from: .player,
                "A movie player knows the types of the item's media (MPMovieMediaTypesAvailableNotification)."
            )
        case .itemStartMoved:
            .notice(
                .itemStartMoved,
                from: .player,
                "The item starts at the start of a segment, and not at the position that was sought in it."
            )
        case .itemTrackUnchanged:
            .warning(
                .itemTrackUnchanged,
                from: .player,
                "A call that enables or disables the item's video has no effect, for this reason."
            )
        case .itemReadyToPlay:
            .notice(
                .itemReadyToPlay,
                from: .player,
                "The item is ready to play; a duration of -1 stands for a stream without an end."
            )
        case .itemDurationKnown:
            .info(.itemDurationKnown, from: .player, "The duration of an item that had none is now known.")
        case .itemFailed: .error(.itemFailed, from: .player, "The item has failed permanently.")
        case .itemShowsFailure:
            .warning(
                .itemShowsFailure,
                from: .player,
                "The item reports failure after a request that will be retried."
            )
        case .itemPlayedToEnd: .notice(.itemPlayedToEnd, from: .player, "The item played to its end.")
        case .itemFailedToPlayToEnd:
            .error(.itemFailedToPlayToEnd, from: .player, "The item began but could not play to its end.")
        case .itemStalled: .warning(.itemStalled, from: .player, "The buffer ran empty during playback.")
        case .itemTimeJumped:
            .info(.itemTimeJumped, from: .player, "The item's position changed without being played.")
        case .bufferEmpty:
            .debug(.bufferEmpty, from: .player, "The buffer at the playhead becomes empty, or stops being empty.")
        case .bufferLikelyToKeepUp:
            .debug(.bufferLikelyToKeepUp, from: .player, "The estimate changes of playing on without a stall.")
        case .bufferFull:
            .debug(
                .bufferFull,
                from: .player,
                "The buffer becomes full, so that loading pauses, or stops being full."
            )
        case .seekBegan: .info(.seekBegan, from: .player, "A seek begins.")
        case .seekEnded: .info(.seekEnded, from: .player, "A seek ends, finished or replaced by another one.")
        case .soundBegan: .info(.soundBegan, from: .player, "The audio begins at this position.")
        case .soundEnded: .info(.soundEnded, from: .player, "The audio ends at this position.")
        case .pictureBegan: .debug(.pictureBegan, from: .player, "The video begins at this position.")
        case .pictureEnded: .debug(.pictureEnded, from: .player, "The video ends at this position.")
        case .pictureQueued:
            .warning(
                .pictureQueued,
                from: .player,
                "The video layer has queued this many frames in the background, where nobody sees them."
            )
        case .pictureHurried:
            .warning(
                .pictureHurried,
                from: .player,
                "The video layer shows this many frames that it queued in the background, at this multiple of the normal speed."
            )
        case .interstitialBegan:
            .info(.interstitialBegan, from: .player, "The item pauses at this position for an interstitial.")
        case .interstitialAssetBegan:
            .info(
                .interstitialAssetBegan,
                from: .player,
                "An asset of the interstitial begins to play; it has a name like an item."
            )
        case .interstitialFailed:
            .warning(
                .interstitialFailed,
                from: .player,
                "The interstitial, or one of its assets, cannot play and is skipped."
            )
        case .interstitialEnded:
            .info(
                .interstitialEnded,
                from: .player,
                "The interstitial ends after playing this many seconds; the item continues at this position.",
                words: interstitialEnds
            )
        case .scanBegan:
            .info(
                .scanBegan,
                from: .player,
                "A scan of the item begins at this position, with this I-frame playlist; a rate below 0 is backward."
            )
        case .scanFrame: .debug(.scanFrame, from: .player, "The scan shows the frame that begins at this position.")
        case .scanEnded:
            .info(
                .scanEnded,
                from: .player,
                "The scan ends after this many frames; the item continues at this position.",
                words: scanEnds
            )
        case .scanRefused: .warning(.scanRefused, from: .player, "The item cannot be scanned.")
        case .playlistLoaded: .info(.playlistLoaded, from: .player, "A media playlist was loaded.")
        case .playlistVariantChosen:
            .info(.playlistVariantChosen, from: .player, "A variant of a multivariant playlist was chosen.")
        case .segmentLoaded:
            .debug(
                .segmentLoaded,
                from: .player,
                "A segment, or a piece of a file or stream, was loaded; start is its position in the item, and seconds the time that it took."
            )
        case .streamState:
            .info(
                .streamState,
                from: .player,
                "The player of an endless stream enters a state, or has a new stop reason.",
                words: streamStates
            )
        case .streamTitle:
            .info(.streamTitle, from: .player, "An endless stream announces the title that plays from here on.")
        case .accessLogEntry: .info(.accessLogEntry, from: .player, "An access log entry was closed.")
        case .errorLogEntry: .warning(.errorLogEntry, from: .player, "An error log entry was added.")
        case .requestBegan: .debug(.requestBegan, from: .link, "A request was sent.")
        case .requestAnswered: .debug(.requestAnswered, from: .link, "The head of a response arrived.")
        case .requestFinished:
            .debug(.requestFinished, from: .link, "A response is complete; seconds count from the request.")
        case .requestFailed:
            .warning(.requestFailed, from: .link, "A request failed.", words: requestFailures)
        case .requestCancelled:
            .debug(.requestCancelled, from: .link, "A request was cancelled after this many bytes of its response.")
        case .linkOpened:
            .info(.linkOpened, from: .link, "A client connected to the proxy, which connects to the server.")
        case .linkClosed:
            .info(
                .linkClosed,
                from: .link,
                "A connection through the proxy ended; down and up are the bytes delivered each way."
            )
        case .linkFailed: .warning(.linkFailed, from: .link, "The proxy could not connect a client to its server.")
        case .linkRequest:
            .info(
                .linkRequest,
                from: .link,
                "A request through the proxy ended, as its client saw it: firstByte and seconds count from the request to the first byte (-1 without one) and to the end; end is whole, cancelled (by the client), or a reason."
            )
        case .linkUnread:
            .info(
                .linkUnread,
                from: .link,
                "The proxy does not read this connection from here on, as it carries tls, upgraded, or other data; host is the server's name if known.",
                words: unreadData
            )
        case .linkBypassed:
            .warning(
                .linkBypassed,
                from: .link,
                "A playlist that crossed the link names a server that the link does not reach; requests to it bypass the link."
            )
        case .linkFault:
            .notice(.linkFault, from: .link, "A request through the proxy meets a fault of the network.")
        case .linkChanged:
            .notice(.linkChanged, from: .link, "A link of the proxy or of the run switched to another network.")
        case .linkLateness:
            .info(
                .linkLateness,
                from: .link,
                "The delays of the proxy's deliveries after their due time, in seconds; written when the link ends."
            )
        case .originServed: .debug(.originServed, from: .origin, "The server answered a request.")
        case .accessRefused:
            .warning(
                .accessRefused,
                from: .origin,
                "An attempt used a wrong password or an invalid key; name is empty for a key."
            )
        case .originMeasured:
            .debug(
                .originMeasured,
                from: .origin,
                "The cost of a resource on a real server, as charged in virtual time: seconds to the first byte, and the send rate in bits per second (0 for unlimited)."
            )
        }
    }
}

extension EventKind {
    /// The declaration of this kind.
    package var declaration: EventDeclaration { .of(self) }
}
