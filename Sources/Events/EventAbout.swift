/// What a kind of event means and where it comes from.
package struct EventAbout: Sendable {
    /// The part of the system that it comes from.
    package let source: EventSource

    /// How much attention it deserves.
    package let level: EventLevel

    /// What it means, as a sentence.
    package let meaning: String

    init(_ source: EventSource, _ level: EventLevel, _ meaning: String) {
        self.source = source
        self.level = level
        self.meaning = meaning
    }
}

extension EventKind {
    /// Source, level and meaning of this kind: the one place where they stand.
    package var about: EventAbout {
        switch self {
        case .caseBegan: EventAbout(.regression, .info, "A case begins.")
        case .caseEnded: EventAbout(.regression, .info, "A case is over, and why it ended.")
        case .stepBegan: EventAbout(.regression, .info, "A step of the scenario begins; steps count from 1.")
        case .finding: EventAbout(.regression, .error, "A rule was broken.")
        case .platformLifecycle: EventAbout(.platform, .notice, "The app enters a phase of its life.")
        case .platformPaused: EventAbout(.platform, .notice, "The platform paused the item.")
        case .platformRejected: EventAbout(.platform, .error, "The platform refused to play the item.")
        case .platformBelief:
            EventAbout(.platform, .info, "The media service holds these properties to be the current item's.")
        case .appNoted: EventAbout(.app, .debug, "The app noted something for a later decision.")
        case .appDecided: EventAbout(.app, .notice, "The app decided what to do, and why.")
        case .platformRoute:
            EventAbout(.platform, .notice, "The sound goes elsewhere; whether the picture goes with it.")
        case .appException: EventAbout(.app, .error, "The app made a call that the platform answers with an exception.")
        case .appUnavailable: EventAbout(.app, .warning, "The app policy cannot run on this platform.")
        case .backgroundTaskBegan: EventAbout(.app, .info, "The app holds a background task.")
        case .backgroundTaskEnded: EventAbout(.app, .info, "The app gave its background task back.")
        case .backgroundTaskExpired: EventAbout(.app, .warning, "The platform ended the app's background task.")
        case .playerCommand: EventAbout(.player, .info, "The app or the user called the player.")
        case .playerRate: EventAbout(.player, .info, "The player's rate changed.")
        case .playerTimeControl:
            EventAbout(.player, .info, "The player is paused, waiting (and what for) or playing.")
        case .queueInserted: EventAbout(.player, .info, "An item was put into the queue.")
        case .queueRefused: EventAbout(.player, .warning, "An item was not taken into the queue.")
        case .queueRemoved: EventAbout(.player, .info, "An item left the queue.")
        case .queueCurrent: EventAbout(.player, .info, "An item became the current one.")
        case .queueEmptied: EventAbout(.player, .info, "The queue has no item left.")
        case .itemLoading: EventAbout(.player, .info, "The item begins to load.")
        case .itemTracksKnown: EventAbout(.player, .info, "The item's tracks were seen in its media.")
        case .itemReadyToPlay:
            EventAbout(.player, .notice, "The item is ready to play; a duration of -1 is that of one without an end.")
        case .itemDurationKnown: EventAbout(.player, .info, "An item that had no end has one now.")
        case .itemFailed: EventAbout(.player, .error, "The item failed, for good.")
        case .itemShowsFailure:
            EventAbout(.player, .warning, "The item reads failed after a request that will be repeated.")
        case .itemPlayedToEnd: EventAbout(.player, .notice, "The item played to its end.")
        case .itemFailedToPlayToEnd: EventAbout(.player, .error, "The item began but could not be played to its end.")
        case .itemStalled: EventAbout(.player, .warning, "The buffer ran out while playing.")
        case .itemTimeJumped: EventAbout(.player, .info, "The item's position changed other than by playing.")
        case .bufferEmpty: EventAbout(.player, .debug, "Whether nothing is buffered at the playhead.")
        case .bufferLikelyToKeepUp: EventAbout(.player, .debug, "Whether playback would go on without a stall.")
        case .bufferFull: EventAbout(.player, .debug, "Whether loading rests because enough is buffered.")
        case .seekBegan: EventAbout(.player, .info, "A seek begins.")
        case .seekEnded: EventAbout(.player, .info, "A seek is over, finished or displaced by another.")
        case .soundBegan: EventAbout(.player, .info, "Sound is heard from this position on.")
        case .soundEnded: EventAbout(.player, .info, "Sound is heard up to this position.")
        case .pictureBegan: EventAbout(.player, .debug, "Pictures of the item are played from this position on.")
        case .pictureEnded: EventAbout(.player, .debug, "Pictures of the item are played up to this position.")
        case .playlistLoaded: EventAbout(.player, .info, "A media playlist was loaded.")
        case .playlistVariantChosen: EventAbout(.player, .info, "A variant of a multivariant playlist was chosen.")
        case .segmentLoaded:
            EventAbout(
                .player,
                .debug,
                "A segment, or as much of a file or stream, was loaded in so many seconds; start is its place in the item."
            )
        case .streamState:
            EventAbout(.player, .info, "The player of an endless stream enters a state, or has another reason to stop.")
        case .streamTitle: EventAbout(.player, .info, "An endless stream says what is played from here on.")
        case .accessLogEntry: EventAbout(.player, .info, "An entry of the access log was closed.")
        case .errorLogEntry: EventAbout(.player, .warning, "An entry of the error log.")
        case .requestBegan: EventAbout(.link, .debug, "A request was sent.")
        case .requestAnswered: EventAbout(.link, .debug, "The head of a response came.")
        case .requestFinished: EventAbout(.link, .debug, "A response came whole; seconds since the request began.")
        case .requestFailed: EventAbout(.link, .warning, "A request failed.")
        case .requestCancelled:
            EventAbout(.link, .debug, "A request was given up, of whose answer so many bytes had come.")
        case .linkOpened: EventAbout(.link, .info, "A client connected to the proxy, which connects to the server.")
        case .linkClosed:
            EventAbout(.link, .info, "A connection through the proxy is over; bytes that came each way.")
        case .linkFailed: EventAbout(.link, .warning, "The proxy could not connect a client to its server.")
        case .linkFault: EventAbout(.link, .notice, "A request through the proxy meets a fault of the network.")
        case .linkChanged: EventAbout(.link, .notice, "A link of the proxy or the run became another network.")
        case .linkLateness:
            EventAbout(.link, .info, "How late the proxy delivered what crossed a link, in seconds; told at its end.")
        case .originServed: EventAbout(.origin, .debug, "The server answered a request.")
        case .originMeasured:
            EventAbout(
                .origin,
                .debug,
                "What a real server took for a resource, which virtual time charged: seconds until the first byte, and how many bits a second it sent; 0 for more than any network carries."
            )
        }
    }
}
