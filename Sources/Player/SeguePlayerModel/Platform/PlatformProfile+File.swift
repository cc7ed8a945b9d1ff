package import SegueData

extension PlatformProfile {
    /// A profile from its file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - harness: Where the profile that it is based on is looked for when that is not beside it.
    /// - Throws: ``HarnessError`` with file, line and key.
    package init(contentsOfFile path: String, in harness: HarnessFolder? = nil) throws(HarnessError) {
        try self.init(HarnessFile.fields(ofFileAt: path, basedOn: .platforms, in: harness))
    }

    /// A profile from the text of a file.
    ///
    /// - Parameters:
    ///   - yaml: The text; `Harness/platforms/README.md` has the schema.
    ///   - file: The file's name, for errors; what it is based on lies beside it.
    /// - Throws: ``HarnessError`` with file, line and key.
    package init(yaml: String, file: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(of: yaml, file: file, basedOn: .platforms))
    }

    private init(_ fields: HarnessFields) throws(HarnessError) {
        let keys = ["name", "title", "players", "lifecycle", "background", "service", "loading", "playback"]
        var root = SourcedFields(fields, keys: keys)
        name = try root.text("name")
        title = try root.text("title")
        players = try root.words("players")
        lifecycle = try root.section("lifecycle", keys: Lifecycle.keys) { section throws(HarnessError) in
            try Lifecycle(&section)
        }
        background = try root.section("background", keys: Background.keys) { section throws(HarnessError) in
            try Background(&section)
        }
        service = try root.section("service", keys: Service.keys) { section throws(HarnessError) in
            try Service(&section)
        }
        loading = try root.section("loading", keys: Loading.keys) { section throws(HarnessError) in
            try Loading(&section)
        }
        playback = try root.section("playback", keys: Playback.keys) { section throws(HarnessError) in
            try Playback(&section)
        }
        try root.finish()
        sources = root.sources
    }
}

extension PlatformProfile.Lifecycle {
    fileprivate static let keys = [
        "suspends-media-after", "enters-background-after", "becomes-active-after", "runs-in-background",
        "suspends-app-after", "suspends-without-service-after", "background-task-limit",
    ]

    fileprivate init(_ section: inout SourcedFields) throws(HarnessError) {
        suspendsMediaAfter = try section.duration("suspends-media-after")
        entersBackgroundAfter = try section.duration("enters-background-after")
        becomesActiveAfter = try section.duration("becomes-active-after")
        runsInBackground = try section.flag("runs-in-background")
        suspendsAppAfter = try section.limit("suspends-app-after")
        suspendsWithoutServiceAfter = try section.limit("suspends-without-service-after")
        backgroundTaskLimit = try section.limit("background-task-limit")
    }
}

extension PlatformProfile.Background {
    fileprivate static let keys = [
        "pauses-on-home", "pauses-on-lock", "rate-after-pause", "starting-video", "resuming-video",
        "detaching-helps-on-home", "detaching-helps-on-lock", "absent-layer-helps", "layer-skips", "pausing-policies",
        "interruption",
        "pauses-when-unplugged", "sends-video-from-queue",
    ]

    fileprivate init(_ section: inout SourcedFields) throws(HarnessError) {
        pausesOnHome = try section.word("pauses-on-home")
        pausesOnLock = try section.word("pauses-on-lock")
        rateAfterPause = try section.word("rate-after-pause")
        startingVideo = try section.word("starting-video")
        resumingVideo = try section.word("resuming-video")
        detachingHelpsOnHome = try section.word("detaching-helps-on-home")
        detachingHelpsOnLock = try section.word("detaching-helps-on-lock")
        absentLayerHelps = try section.flag("absent-layer-helps")
        layerSkips = try section.duration("layer-skips")
        pausingPolicies = try section.words("pausing-policies")
        interruption = try section.word("interruption")
        pausesWhenUnplugged = try section.flag("pauses-when-unplugged")
        sendsVideoFromQueue = try section.flag("sends-video-from-queue")
    }
}

extension PlatformProfile.Service {
    fileprivate static let keys = ["latency", "output-latency", "unknown-tracks", "remaking-fails"]

    fileprivate init(_ section: inout SourcedFields) throws(HarnessError) {
        latency = try section.duration("latency")
        outputLatency = try section.duration("output-latency")
        unknownTracks = try section.word("unknown-tracks")
        remakingFails = try section.flag("remaking-fails")
    }
}

extension PlatformProfile.Playback {
    fileprivate static let keys = [
        "waits-to-minimize-stalls", "failed-item", "seek-before-ready", "notice-order", "end-without-action",
        "plays-at-default-rate", "resumes-with", "resumes-with-later", "later-after-stalls",
        "shows-passing-failure", "live-after-interruption", "live-catch-up", "live-lag", "behind-live-window",
    ]

    fileprivate init(_ section: inout SourcedFields) throws(HarnessError) {
        waitsToMinimizeStalls = try section.flag("waits-to-minimize-stalls")
        failedItem = try section.word("failed-item")
        seekBeforeReady = try section.word("seek-before-ready")
        noticeOrder = try section.word("notice-order")
        endWithoutAction = try section.word("end-without-action")
        playsAtDefaultRate = try section.flag("plays-at-default-rate")
        resumesWith = try section.duration("resumes-with")
        resumesWithLater = try section.duration("resumes-with-later")
        laterAfterStalls = try section.count("later-after-stalls")
        showsPassingFailure = try section.flag("shows-passing-failure")
        liveAfterInterruption = try section.word("live-after-interruption")
        liveCatchUp = try section.word("live-catch-up")
        liveLag = try section.duration("live-lag")
        behindWindow = try section.word("behind-live-window")
    }
}
