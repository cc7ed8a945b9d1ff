internal import SegueData

extension PlatformProfile {
    /// What counts as buffered, how much of it does to play, and in which order renditions load.
    package struct Buffering: Sendable, Equatable {
        /// What of a segment under way counts as buffered and plays.
        package let counts: Counting
        /// How many segments of average length ahead of the playhead will do however slowly media load; nil where
        /// ``Loading/keepUpEnough`` says that.
        package let startSegments: Double?
        /// The most that is wanted by ``startSegments``.
        package let startMost: Duration
        /// How much of the end of what is loaded does not count for the buffer's limit, of transport streams.
        package let tail: Duration
        /// How much decoders have taken of what is there, which counts as played: it stands still with the rest.
        package let decoded: Duration
        /// How much that is of a transport stream of sound alone where blocks count.
        package let decodedSound: Duration
        /// How much of the end of a transport stream is not played when another variant is changed to.
        package let changeLoses: Duration
        /// Whether the first playback waits until the requests are over that are made once first segments are there.
        package let startWaitsForRequest: Bool
        /// How long after that it begins.
        package let startLatency: Duration
        /// How the renditions of an item load beside each other.
        package let renditions: Renditions
        /// How many segments the sound may be ahead of the pictures where they load side by side; nil for any number.
        package let lead: Double?
        /// Whether no segment of sound apart is asked for before a first segment of the pictures is there.
        package let soundWaits: Bool
        /// Whether the playlist of the pictures is asked for only when sound apart has begun to come.
        package let picturesWait: Bool
        /// What is looked into before the first segments are loaded.
        package let probes: Probes
    }

    /// What is looked into before the first segments are loaded.
    package enum Probes: String, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// Where the sound is apart, the first 32 KB of each rendition's first segment: then the connection
        /// is closed, and the rest is asked for by its range.
        case head
        /// The playlists of all variants, and of each as much as playing takes to begin.
        case variants
    }

    /// What of a segment under way counts as buffered and plays.
    package enum Counting: String, Sendable, CaseIterable {
        /// Nothing: segments count once they are whole.
        case segments
        /// What has come of it, where pictures and sound lie mixed as they are played: of a transport stream, and of
        /// fragmented MP4 with one of them alone.
        case bytes
        /// Of a transport stream what has come, in blocks of 32 KB; of fragmented MP4 the segment, and playing begins and
        /// goes on only once a block of the next one is there.
        case blocks
    }

    /// How the renditions of an item load beside each other.
    package enum Renditions: String, Sendable, CaseIterable {
        /// Each as if it were alone, with a request of its own.
        case sideBySide = "side-by-side"
        /// With one request at a time, for the one that is behind.
        case inTurn = "in-turn"
        /// So, and the sound first where none is behind.
        case soundInTurn = "sound-in-turn"
        /// With a request for each, but only for whichever is behind, what is under way counted as there.
        case byNeed = "by-need"
        /// So, by one reader that goes to whatever is behind, whose other answers are not read meanwhile; what was looked
        /// into of other variants is read in step to the end of its segment.
        case inStep = "in-step"
    }
}

extension PlatformProfile.Buffering {
    static let keys = [
        "counts", "start-segments", "start-most", "buffer-tail", "decoded", "decoded-sound", "change-loses",
        "start-waits-for-request", "start-latency",
        "renditions", "lead", "sound-waits", "pictures-wait", "probes",
    ]

    init(_ section: inout SourcedFields) throws(HarnessError) {
        counts = try section.word("counts")
        startSegments = try section.factor("start-segments", orNil: "none")
        startMost = try section.duration("start-most")
        tail = try section.duration("buffer-tail")
        decoded = try section.duration("decoded")
        decodedSound = try section.duration("decoded-sound")
        changeLoses = try section.duration("change-loses")
        startWaitsForRequest = try section.flag("start-waits-for-request")
        startLatency = try section.duration("start-latency")
        renditions = try section.word("renditions")
        lead = try section.factor("lead", orNil: "any")
        soundWaits = try section.flag("sound-waits")
        picturesWait = try section.flag("pictures-wait")
        probes = try section.word("probes")
    }
}
