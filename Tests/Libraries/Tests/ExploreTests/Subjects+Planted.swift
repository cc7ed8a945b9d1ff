import SeguePlayer

extension Subject {
    /// The apps with one bug each.
    static let planted = ofTheDevice + ofThePlace + ofTheList + ofFailures + ofTheRest

    private static let ofTheDevice: [Subject] = [
        app(
            "wakes what is paused",
            from: "PRX/PRXPlayer#1: the end of a call starts a player that its user had paused",
            breaks: ["unwished"]
        ) { WakesWhatIsPaused($0, songs) },
        app(
            "toggles at the interruption",
            from: "mattgallagher/AudioStreamer#26: the handler calls a pause that is a toggle",
            breaks: ["unwished", "silent", "background"]
        ) { TogglesAtInterruption($0, songs) },
        app(
            "reads the rate too late",
            from: "StreetVoice/HysteriaPlayer#26: by the time the handler asks, the system has paused the player",
            breaks: ["silent", "background"]
        ) { ReadsTheRateTooLate($0, songs) },
        app(
            "keeps the interruption's flag",
            from: "delannoyk/AudioPlayer#66: that a call has paused it stands, whatever is to be played since",
            breaks: ["silent", "background", "unwished"]
        ) { KeepsTheInterruptionsFlag($0, songs) },
        app(
            "takes the route for a pause",
            from: "delannoyk/AudioPlayer#179: each change of route pauses, whatever its reason",
            breaks: ["silent", "background"]
        ) { TakesTheRouteForAPause($0, songs) },
        app(
            "ignores the reset",
            from: "TortugaPower/BookPlayer#914: once the media services were reset, nothing is heard any more",
            breaks: ["silent", "background"]
        ) { IgnoresTheReset($0, songs) },
        app(
            "leaves the task open",
            from: "noreasonprojects/ModernAVPlayer#157: a load that comes to nothing does not end its background task",
            breaks: ["task"]
        ) { LeavesTheTaskOpen($0, songs) },
    ]

    private static let ofThePlace: [Subject] = [
        app(
            "plays after a seek",
            from: "TheWidlarzGroup/react-native-video#4068: the completion of a seek plays",
            breaks: ["unwished"]
        ) { PlaysAfterASeek($0, songs) },
        app(
            "loses the early seek",
            from: "doublesymmetry/react-native-track-player#1359: a seek before the item is ready does nothing",
            breaks: ["lost-seek"]
        ) { LosesTheEarlySeek($0, songs) },
        app(
            "lands the old seek",
            from: "Automattic/pocket-casts-ios#1359: a seek that waits for one title lands in the next",
            breaks: ["jump", "lost-seek"]
        ) { LandsTheOldSeek($0, songs) },
        app(
            "saves under the new title",
            from: "NuvioMedia/NuvioTV#3527: the place is saved when the title has changed already",
            breaks: ["place"]
        ) { SavesUnderTheNewTitle($0, songs) },
        app(
            "saves zero at load",
            from: "advplyr/audiobookshelf-app#1886: while a title loads, its beginning is saved over its place",
            breaks: ["place"]
        ) { SavesZeroAtLoad($0, songs) },
    ]

    private static let ofTheList: [Subject] = [
        app(
            "the end races with next",
            from: "psoren/Syncify#10: where a title ends while its user skips it, two are skipped",
            // The user's actions during the fade-out are lost as well.
            breaks: ["order", "lost-seek"]
        ) { EndRacesWithNext($0, songs) },
        app(
            "advances twice",
            from: "doublesymmetry/react-native-track-player#16: the queue goes on at the end, and so does the app",
            breaks: ["order"]
        ) { AdvancesTwice($0, songs) },
        app(
            "stops before the last",
            from: "doublesymmetry/react-native-track-player#2038: the end of the list is looked for after moving on",
            breaks: ["silent", "background"]
        ) { StopsBeforeTheLast($0, songs) },
        app(
            "an earlier load wins",
            from: "PianoNic/Snepilatch#703: what was chosen first is played when it comes last",
            // The same title may come again.
            breaks: ["order", "jump"]
        ) { EarlierLoadWins($0, songs) },
        app(
            "the index shifts",
            from: "delannoyk/AudioPlayer#58: the index stays when an item before it is taken out of the queue",
            breaks: ["order"]
        ) { IndexShifts($0, songs) },
    ]

    private static let ofFailures: [Subject] = [
        app(
            "takes a cut for the end",
            from: "amugofjava/anytime_podcast_player#55: an episode that breaks off counts as heard",
            breaks: ["finished"]
        ) { TakesACutForTheEnd($0, songs) },
        app(
            "skips for ever",
            from: "SigmaUno/omarchy-leecher-plugin#14: where every title fails, the skipping goes round",
            breaks: ["gives up", "storm"]
        ) { SkipsForEver($0, songs) },
        app(
            "puts the failed item back",
            from: "bluefireteam/audioplayers#442: what has failed is played again as it is",
            breaks: ["silent", "background"]
        ) { PutsTheFailedItemBack($0, songs) },
        app(
            "recovers once",
            from: "fethica/FRadioPlayer#75: after the second stall nothing goes on",
            breaks: ["silent", "background"]
        ) { RecoversOnce($0, ["http://server/radio/sound.m3u8"]) },
        app(
            "buffering overwrites the pause",
            from: "delannoyk/AudioPlayer#24: who pauses while it buffers hears it go on when there is enough",
            breaks: ["unwished"]
        ) { BufferingOverwritesThePause($0, songs) },
    ]

    private static let ofTheRest: [Subject] = [
        app(
            "forgets the rate",
            from: "ryanheise/just_audio#176: played again, it is heard at the normal rate",
            breaks: ["rate"]
        ) { ForgetsTheRate($0, songs) },
        app(
            "cannot cancel sleep",
            from: "AntennaPod/AntennaPod#8068: a sleep timer that was ended ends the next session",
            breaks: ["silent", "background"]
        ) { CannotCancelSleep($0, songs) },
        app(
            "observes at each play",
            from: "clappr/dash-shaka-playback#65: each play adds an observer, and none is removed",
            breaks: ["leak"]
        ) { ObservesAtEachPlay($0, songs) },
    ]
}
