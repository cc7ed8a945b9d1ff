/// What a kind of event means and where it comes from.
package struct EventAbout: Sendable {
    /// Its name in logs.
    package let name: String

    /// The part of the system that it comes from.
    package let source: EventSource

    /// How much attention it deserves.
    package let level: EventLevel

    /// What it means, as a sentence.
    package let meaning: String

    init(_ name: String, _ source: EventSource, _ level: EventLevel, _ meaning: String) {
        self.name = name
        self.source = source
        self.level = level
        self.meaning = meaning
    }
}

extension EventKind {
    /// Name, source, level and meaning of this kind: the one place where they stand.
    package var about: EventAbout {
        switch self {
        case .caseBegan: EventAbout("case.began", .regression, .info, "A case begins.")
        case .caseEnded: EventAbout("case.ended", .regression, .info, "A case is over, and why it ended.")
        case .stepBegan:
            EventAbout("step.began", .regression, .info, "A step of the scenario begins; steps count from 1.")
        case .finding: EventAbout("finding", .regression, .error, "A rule was broken.")
        case .platformLifecycle:
            EventAbout("platform.lifecycle", .platform, .notice, "The app enters a phase of its life.")
        case .platformPaused: EventAbout("platform.paused", .platform, .notice, "The platform paused the item.")
        case .platformRejected:
            EventAbout("platform.rejected", .platform, .error, "The platform refused to play the item.")
        case .platformBelief:
            EventAbout(
                "platform.belief",
                .platform,
                .info,
                "The media service holds these properties to be the current item's."
            )
        case .appNoted: EventAbout("app.noted", .app, .debug, "The app noted something for a later decision.")
        case .appDecided: EventAbout("app.decided", .app, .notice, "The app decided what to do, and why.")
        case .platformRoute:
            EventAbout(
                "platform.route",
                .platform,
                .notice,
                "The sound goes elsewhere; whether the picture goes with it."
            )
        case .appException:
            EventAbout(
                "app.exception",
                .app,
                .error,
                "The app made a call that the platform answers with an exception."
            )
        case .appUnavailable:
            EventAbout("app.unavailable", .app, .warning, "The app policy cannot run on this platform.")
        case .backgroundTaskBegan: EventAbout("background.taskBegan", .app, .info, "The app holds a background task.")
        case .backgroundTaskEnded:
            EventAbout("background.taskEnded", .app, .info, "The app gave its background task back.")
        case .backgroundTaskExpired:
            EventAbout("background.taskExpired", .app, .warning, "The platform ended the app's background task.")
        case .playerCommand: EventAbout("player.command", .player, .info, "The app or the user called the player.")
        case .playerRate: EventAbout("player.rate", .player, .info, "The player's rate changed.")
        case .playerTimeControl:
            EventAbout("player.timeControl", .player, .info, "The player is paused, waiting (and what for) or playing.")
        case .queueInserted: EventAbout("queue.inserted", .player, .info, "An item was put into the queue.")
        case .queueRefused: EventAbout("queue.refused", .player, .warning, "An item was not taken into the queue.")
        case .queueRemoved: EventAbout("queue.removed", .player, .info, "An item left the queue.")
        case .queueCurrent: EventAbout("queue.current", .player, .info, "An item became the current one.")
        case .queueEmptied: EventAbout("queue.emptied", .player, .info, "The queue has no item left.")
        case .itemLoading: EventAbout("item.loading", .player, .info, "The item begins to load.")
        case .itemTracksKnown:
            EventAbout("item.tracksKnown", .player, .info, "The item's tracks were seen in its media.")
        case .itemReadyToPlay:
            EventAbout(
                "item.readyToPlay",
                .player,
                .notice,
                "The item is ready to play; a duration of -1 is that of one without an end."
            )
        case .itemDurationKnown:
            EventAbout("item.durationKnown", .player, .info, "An item that had no end has one now.")
        case .itemFailed: EventAbout("item.failed", .player, .error, "The item failed, for good.")
        case .itemShowsFailure:
            EventAbout(
                "item.showsFailure",
                .player,
                .warning,
                "The item reads failed after a request that will be repeated."
            )
        case .itemPlayedToEnd: EventAbout("item.playedToEnd", .player, .notice, "The item played to its end.")
        case .itemFailedToPlayToEnd:
            EventAbout("item.failedToPlayToEnd", .player, .error, "The item began but could not be played to its end.")
        case .itemStalled: EventAbout("item.stalled", .player, .warning, "The buffer ran out while playing.")
        case .itemTimeJumped:
            EventAbout("item.timeJumped", .player, .info, "The item's position changed other than by playing.")
        case .bufferEmpty: EventAbout("buffer.empty", .player, .debug, "Whether nothing is buffered at the playhead.")
        case .bufferLikelyToKeepUp:
            EventAbout("buffer.likelyToKeepUp", .player, .debug, "Whether playback would go on without a stall.")
        case .bufferFull:
            EventAbout("buffer.full", .player, .debug, "Whether loading rests because enough is buffered.")
        case .seekBegan: EventAbout("seek.began", .player, .info, "A seek begins.")
        case .seekEnded: EventAbout("seek.ended", .player, .info, "A seek is over, finished or displaced by another.")
        case .soundBegan: EventAbout("sound.began", .player, .info, "Sound is heard from this position on.")
        case .soundEnded: EventAbout("sound.ended", .player, .info, "Sound is heard up to this position.")
        case .pictureBegan:
            EventAbout("picture.began", .player, .debug, "Pictures of the item are played from this position on.")
        case .pictureEnded:
            EventAbout("picture.ended", .player, .debug, "Pictures of the item are played up to this position.")
        case .interstitialBegan:
            EventAbout("interstitial.began", .player, .info, "The item stops at this position for an interstitial.")
        case .interstitialAssetBegan:
            EventAbout(
                "interstitial.assetBegan",
                .player,
                .info,
                "An asset of the interstitial begins to play; it has a name as items have."
            )
        case .interstitialFailed:
            EventAbout(
                "interstitial.failed",
                .player,
                .warning,
                "The interstitial, or an asset of it, cannot be played and is passed over."
            )
        case .interstitialEnded:
            EventAbout(
                "interstitial.ended",
                .player,
                .info,
                "The interstitial is over, of which so much was played; the item goes on at this position."
            )
        case .scanBegan:
            EventAbout(
                "scan.began",
                .player,
                .info,
                "The item is scanned from this position on, by this playlist of I-frames; a rate below 0 is backward."
            )
        case .scanFrame:
            EventAbout("scan.frame", .player, .debug, "The scan shows the picture that begins at this position.")
        case .scanEnded:
            EventAbout(
                "scan.ended",
                .player,
                .info,
                "The scan is over and has shown so many pictures; the item goes on at this position."
            )
        case .scanRefused: EventAbout("scan.refused", .player, .warning, "The item cannot be scanned.")
        case .playlistLoaded: EventAbout("playlist.loaded", .player, .info, "A media playlist was loaded.")
        case .playlistVariantChosen:
            EventAbout("playlist.variantChosen", .player, .info, "A variant of a multivariant playlist was chosen.")
        case .segmentLoaded:
            EventAbout(
                "segment.loaded",
                .player,
                .debug,
                "A segment, or as much of a file or stream, was loaded in so many seconds; start is its place in the item."
            )
        case .streamState:
            EventAbout(
                "stream.state",
                .player,
                .info,
                "The player of an endless stream enters a state, or has another reason to stop."
            )
        case .streamTitle:
            EventAbout("stream.title", .player, .info, "An endless stream says what is played from here on.")
        case .accessLogEntry: EventAbout("access.logEntry", .player, .info, "An entry of the access log was closed.")
        case .errorLogEntry: EventAbout("error.logEntry", .player, .warning, "An entry of the error log.")
        case .requestBegan: EventAbout("request.began", .link, .debug, "A request was sent.")
        case .requestAnswered: EventAbout("request.answered", .link, .debug, "The head of a response came.")
        case .requestFinished:
            EventAbout("request.finished", .link, .debug, "A response came whole; seconds since the request began.")
        case .requestFailed: EventAbout("request.failed", .link, .warning, "A request failed.")
        case .requestCancelled:
            EventAbout(
                "request.cancelled",
                .link,
                .debug,
                "A request was given up, of whose answer so many bytes had come."
            )
        case .linkOpened:
            EventAbout("link.opened", .link, .info, "A client connected to the proxy, which connects to the server.")
        case .linkClosed:
            EventAbout("link.closed", .link, .info, "A connection through the proxy is over; bytes that came each way.")
        case .linkFailed:
            EventAbout("link.failed", .link, .warning, "The proxy could not connect a client to its server.")
        case .linkRequest:
            EventAbout(
                "link.request",
                .link,
                .info,
                "A request over the proxy is over, as its client saw it: seconds from the request to the answer's first byte, -1 for none, and to its end; the end is whole, cancelled (by the client) or a reason."
            )
        case .linkUnread:
            EventAbout(
                "link.unread",
                .link,
                .info,
                "What crosses a connection from here on is not read: tls, upgraded or other; the host, where it is named."
            )
        case .linkBypassed:
            EventAbout(
                "link.bypassed",
                .link,
                .warning,
                "A playlist that came over the link names a server to which the link does not lead; what is fetched there goes around it."
            )
        case .linkFault:
            EventAbout("link.fault", .link, .notice, "A request through the proxy meets a fault of the network.")
        case .linkChanged:
            EventAbout("link.changed", .link, .notice, "A link of the proxy or the run became another network.")
        case .linkLateness:
            EventAbout(
                "link.lateness",
                .link,
                .info,
                "How late the proxy delivered what crossed a link, in seconds; told at its end."
            )
        case .accessRefused:
            EventAbout(
                "access.refused",
                .origin,
                .warning,
                "Somebody tried a password or a key that lets nobody in; the name is empty for a key."
            )
        case .originServed: EventAbout("origin.served", .origin, .debug, "The server answered a request.")
        case .originMeasured:
            EventAbout(
                "origin.measured",
                .origin,
                .debug,
                "What a real server took for a resource, which virtual time charged: seconds until the first byte, and how many bits a second it sent; 0 for more than any network carries."
            )
        }
    }
}
