extension PlatformProfile {
    /// A profile from the text of its file.
    ///
    /// The schema: `name`, `title`, then the sections `lifecycle`, `background`, `service`, `loading`, `playback` and the
    /// field `players`; every field is `{ value: …, source: … }`. Durations are `500 ms`, `2 s` or `10 min`; limits may
    /// also be `never`.
    ///
    /// - Parameters:
    ///   - text: The file's text, YAML.
    ///   - file: The file's name, for errors.
    /// - Throws: ``DataFileError`` with file, line and key.
    package init(text: String, file: String) throws(DataFileError) {
        var root = try DataSection(file: file, text: text)
        var known: [String: String] = [:]
        name = try root.value("name").text()
        title = try root.value("title").text()
        players = try root.sourced("players", into: &known) { value throws(DataFileError) in
            var kinds: [PlayerKind] = []
            for item in try value.list() { kinds.append(try item.choice(PlayerKind.self)) }
            return kinds
        }
        var section = try root.section("lifecycle")
        lifecycle = try Lifecycle(&section, &known)
        try section.finish()
        section = try root.section("background")
        background = try Background(&section, &known)
        try section.finish()
        section = try root.section("service")
        service = try Service(&section, &known)
        try section.finish()
        section = try root.section("loading")
        loading = try Loading(&section, &known)
        try section.finish()
        section = try root.section("playback")
        playback = try Playback(&section, &known)
        try section.finish()
        try root.finish()
        sources = known
    }
}

extension DataSection {
    fileprivate mutating func duration(
        _ key: String,
        _ sources: inout [String: String]
    ) throws(DataFileError) -> Duration {
        try sourced(key, into: &sources) { value throws(DataFileError) in try value.duration() }
    }

    /// A duration, or nil for `never`.
    fileprivate mutating func limit(
        _ key: String,
        _ sources: inout [String: String]
    ) throws(DataFileError) -> Duration? {
        try sourced(key, into: &sources) { value throws(DataFileError) in try value.durationOrNever() }
    }

    fileprivate mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String,
        _ sources: inout [String: String]
    ) throws(DataFileError) -> Choice where Choice.RawValue == String {
        try sourced(key, into: &sources) { value throws(DataFileError) in try value.choice(Choice.self) }
    }
}

extension PlatformProfile.Lifecycle {
    fileprivate init(_ section: inout DataSection, _ sources: inout [String: String]) throws(DataFileError) {
        suspendsMediaAfter = try section.duration("suspends-media-after", &sources)
        entersBackgroundAfter = try section.duration("enters-background-after", &sources)
        becomesActiveAfter = try section.duration("becomes-active-after", &sources)
        suspendsAppAfter = try section.limit("suspends-app-after", &sources)
        backgroundTaskLimit = try section.limit("background-task-limit", &sources)
    }
}

extension PlatformProfile.Background {
    fileprivate init(_ section: inout DataSection, _ sources: inout [String: String]) throws(DataFileError) {
        pausesOnHome = try section.choice("pauses-on-home", &sources)
        pausesOnLock = try section.choice("pauses-on-lock", &sources)
        rateAfterPause = try section.choice("rate-after-pause", &sources)
        startingVideo = try section.choice("starting-video", &sources)
        resumingVideo = try section.choice("resuming-video", &sources)
        detachingLayerHelps = try section.choice("detaching-layer-helps", &sources)
    }
}

extension PlatformProfile.Service {
    fileprivate init(_ section: inout DataSection, _ sources: inout [String: String]) throws(DataFileError) {
        latency = try section.duration("latency", &sources)
        outputLatency = try section.duration("output-latency", &sources)
        unknownTracks = try section.choice("unknown-tracks", &sources)
    }
}

extension PlatformProfile.Loading {
    fileprivate init(_ section: inout DataSection, _ sources: inout [String: String]) throws(DataFileError) {
        bufferLimit = try section.duration("buffer-limit", &sources)
        bufferResume = try section.duration("buffer-resume", &sources)
        keepUpLeast = try section.duration("keep-up-least", &sources)
        keepUpEnough = try section.duration("keep-up-enough", &sources)
        keepUpMargin = try section.sourced("keep-up-margin", into: &sources) { value throws(DataFileError) in
            try value.factor()
        }
        preload = try section.choice("preload", &sources)
        preloadWithin = try section.duration("preload-within", &sources)
        retries = try section.sourced("retries", into: &sources) { value throws(DataFileError) in try value.count() }
        retryDelay = try section.duration("retry-delay", &sources)
        patience = try section.duration("patience", &sources)
        firstVariant = try section.choice("first-variant", &sources)
        codecs = try section.sourced("codecs", into: &sources) { value throws(DataFileError) in
            var codecs: [String] = []
            for item in try value.list() { codecs.append(try item.text()) }
            return codecs
        }
    }
}

extension PlatformProfile.Playback {
    fileprivate init(_ section: inout DataSection, _ sources: inout [String: String]) throws(DataFileError) {
        waitsToMinimizeStalls = try section.sourced("waits-to-minimize-stalls", into: &sources) {
            value throws(DataFileError) in try value.flag()
        }
        failedItem = try section.choice("failed-item", &sources)
        seekBeforeReady = try section.choice("seek-before-ready", &sources)
        noticeOrder = try section.choice("notice-order", &sources)
    }
}
