package import SegueData

extension PlatformProfile {
    /// How items load.
    package struct Loading: Sendable, Equatable {
        /// How much is buffered ahead of the playhead before loading rests.
        package let bufferLimit: Duration
        /// How little is left of that when loading begins again.
        package let bufferResume: Duration
        /// What counts as buffered, how much of it does, and in which order renditions load.
        package let buffering: Buffering
        /// How the line is estimated, and when another variant is changed to.
        package let adapting: Adapting
        /// How many requests are made, and on which connections.
        package let requesting: Requesting
        /// What follows a request for a segment that failed.
        package let failing: Failing
        /// The least ahead of the playhead to keep up, when media load faster than they play.
        package let keepUpLeast: Duration
        /// As much ahead of the playhead as will do however slowly media load.
        package let keepUpEnough: Duration
        /// How much faster than they play media must load to be trusted to keep up.
        package let keepUpMargin: Double
        /// When items in the queue behind the current one begin to load.
        package let preload: Preload
        /// How near the current item's end that is, where it is near the end.
        package let preloadWithin: Duration
        /// How often a request that failed is repeated, where its kind of failure has no number of its own.
        package let retries: Int
        /// How often a request that failed in some way is repeated.
        package let retriesByKind: [FailureKind: Int]
        /// How long after the first failure; after each further one twice as long.
        package let retryDelay: Duration
        /// The longest that is waited before a request is repeated.
        package let retryDelayLimit: Duration
        /// How long a request may go without a byte.
        package let patience: Duration
        /// How much a connection may have unread and on its way.
        ///
        /// A request that is given up leaves as much in the network's queue ahead of the next one. It is for whoever
        /// makes the fetcher.
        package let receiveWindow: ReceiveWindow
        /// Which variant of a multivariant playlist is tried first.
        package let firstVariant: FirstVariant
        /// What the network is taken for, in bits per second, before anything was measured.
        package let startingBitrate: Int
        /// How many times a variant's declared bit rate must have been measured before it is changed to.
        package let switchUpMargin: Double
        /// How much must be buffered before a variant of a higher bit rate is changed to.
        package let switchUpBuffer: Duration
        /// For how long a variant that failed is left alone.
        package let variantPenalty: Duration
        /// By which of its bit rates a variant is held against the line.
        package let variantRate: VariantRate
        /// What is made of how much authors prefer variants.
        package let variantScore: VariantScore
        /// How often in a row a live playlist may be found unchanged before it has failed.
        package let stuckReloads: Int
        /// What the codecs of a playable variant begin with (RFC 6381).
        package let codecs: [String]
        /// What becomes of encrypted media.
        package let encryption: Encryption
        /// What becomes of media that are named by ranges of bytes.
        package let byteRanges: ByteRanges
        /// The user's languages, the most wanted one first (RFC 5646).
        package let languages: [String]
        /// How servers are told what the player believes.
        package let clientData: ClientData
        /// What is made of servers that say which pathway is to be taken.
        package let contentSteering: ContentSteering
        /// What is made of low-latency streams.
        package let lowLatency: LowLatency
        /// What is made of interstitials.
        package let interstitials: Interstitials
        /// How items are scanned.
        package let scanning: Scanning
    }

    /// When items in the queue behind the current one begin to load.
    package enum Preload: String, Sendable, CaseIterable {
        case atOnce = "at-once"
        case nearEnd = "near-end"
        case never
    }

    /// Which variant is tried first.
    package enum FirstVariant: String, Sendable, CaseIterable {
        /// The first listed.
        case listed
        /// The one of the highest bandwidth.
        case highest
        /// The one of the lowest bandwidth.
        case lowest
        /// The one of the highest bandwidth that ``Loading/startingBitrate`` allows.
        case estimated
        /// The one of the highest bandwidth below what was measured before it; the lowest where nothing was.
        case measured
    }

    /// By which of its bit rates a variant is held against the line.
    package enum VariantRate: String, Sendable, CaseIterable {
        /// The peak (`BANDWIDTH`).
        case peak
        /// The average (`AVERAGE-BANDWIDTH`), where it is given and two segments are ahead.
        case average
    }

    /// What is made of how much authors prefer variants (`SCORE`).
    package enum VariantScore: String, Sendable, CaseIterable {
        /// Where all have a score, the highest one comes before the bit rate.
        case heeded
        /// Nothing.
        case ignored
    }

    /// What becomes of encrypted media.
    package enum Encryption: String, Sendable, CaseIterable {
        /// The item fails.
        case refused
        /// Keys are fetched and the media played, as far as the key's format is `identity`.
        case served
    }

    /// What becomes of media that are named by ranges of bytes (RFC 8216, 4.3.2.2).
    package enum ByteRanges: String, Sendable, CaseIterable {
        /// The item fails.
        case refused
        /// They are asked for by their ranges.
        case served
    }

    /// How servers are told what the player believes (CTA-5004).
    package enum ClientData: String, Sendable, CaseIterable {
        /// In header fields.
        case headers
        /// In the query parameter `CMCD`.
        case query
        /// Not at all.
        case none
    }

    /// What is made of servers that say which pathway is to be taken (RFC 8216bis, 7).
    package enum ContentSteering: String, Sendable, CaseIterable {
        /// They are asked, and done as they say.
        case followed
        /// Nothing: all variants are taken together.
        case ignored
    }

    /// What is made of low-latency streams (RFC 8216bis, appendix B).
    package enum LowLatency: String, Sendable, CaseIterable {
        /// Parts are played as they come, where the server keeps reloads waiting for them.
        case parts
        /// They are played as other live streams.
        case none
    }

    /// What is made of interstitials (RFC 8216bis, appendix D).
    package enum Interstitials: String, Sendable, CaseIterable {
        /// They are played at their dates.
        case played
        /// Nothing: the presentation is played alone.
        case ignored
    }

    /// How items are scanned, fast forward or backward.
    package enum Scanning: String, Sendable, CaseIterable {
        /// By the pictures of I-frame playlists (RFC 8216, 4.3.4.3), where an item has some.
        case iFrames = "i-frames"
        /// Not at all.
        case none
    }
}

extension PlatformProfile.Loading {
    static let keys =
        [
            "buffer-limit", "buffer-resume", "keep-up-least", "keep-up-enough", "keep-up-margin", "preload",
            "preload-within", "retries", "retries-by-kind", "retry-delay", "retry-delay-limit", "patience",
            "receive-window", "first-variant", "starting-bitrate", "switch-up-margin", "switch-up-buffer",
            "variant-penalty", "stuck-reloads", "codecs", "encryption", "byte-ranges", "languages", "client-data",
            "low-latency", "variant-score", "content-steering", "interstitials",
            "scanning", "variant-rate",
        ] + PlatformProfile.Buffering.keys + PlatformProfile.Adapting.keys + PlatformProfile.Failing.keys
        + PlatformProfile.Requesting.keys

    init(_ section: inout SourcedFields) throws(HarnessError) {
        bufferLimit = try section.duration("buffer-limit")
        bufferResume = try section.duration("buffer-resume")
        try section.check(bufferLimit > .zero, "buffer-limit", "must be above 0 s")
        try section.check(bufferResume <= bufferLimit, "buffer-resume", "must be no more than buffer-limit")
        buffering = try PlatformProfile.Buffering(&section)
        adapting = try PlatformProfile.Adapting(&section)
        requesting = try PlatformProfile.Requesting(&section)
        failing = try PlatformProfile.Failing(&section)
        keepUpLeast = try section.duration("keep-up-least")
        keepUpEnough = try section.duration("keep-up-enough")
        keepUpMargin = try section.factor("keep-up-margin")
        preload = try section.word("preload")
        preloadWithin = try section.duration("preload-within")
        retries = try section.integer("retries", in: 0...1000)
        retriesByKind = try section.counts("retries-by-kind")
        retryDelay = try section.duration("retry-delay")
        retryDelayLimit = try section.duration("retry-delay-limit")
        patience = try section.duration("patience")
        receiveWindow = try section.receiveWindow("receive-window")
        firstVariant = try section.word("first-variant")
        startingBitrate = try section.integer("starting-bitrate", in: 1...1_000_000_000)
        switchUpMargin = try section.factor("switch-up-margin")
        switchUpBuffer = try section.duration("switch-up-buffer")
        variantPenalty = try section.duration("variant-penalty")
        variantRate = try section.word("variant-rate")
        variantScore = try section.word("variant-score")
        stuckReloads = try section.integer("stuck-reloads", in: 1...1000)
        codecs = try section.texts("codecs")
        for codec in codecs where !AnnouncedCodecs.areSome(codec) {
            let known = UnknownName(codec, among: AnnouncedCodecs.sampleEntries)
            try section.check(false, "codecs", "\(known), as RFC 6381 has them")
        }
        encryption = try section.word("encryption")
        byteRanges = try section.word("byte-ranges")
        languages = try section.texts("languages")
        for language in languages {
            try section.check(isLanguage(language), "languages", "\(language) is no language tag such as en or pt-BR")
        }
        clientData = try section.word("client-data")
        contentSteering = try section.word("content-steering")
        lowLatency = try section.word("low-latency")
        interstitials = try section.word("interstitials")
        scanning = try section.word("scanning")
    }
}

/// Whether a text has the form of a language tag: a language of two or three letters, and parts of up to eight letters
/// and digits (RFC 5646, section 2.1).
private func isLanguage(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8)
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let language = parts.first, (2...3).contains(language.count) else { return false }
    return language.allSatisfy { letters.contains($0 | 0x20) }
        && parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { letters.contains($0 | 0x20) || digits.contains($0) }
        }
}
