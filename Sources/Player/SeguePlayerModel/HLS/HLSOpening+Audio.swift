internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Loading of separate audio before the video playlist.
extension HLSOpening {
    private var depth: BufferDepth { BufferDepth(source.settings, record.preferences) }

    private var announced: AnnouncedCodecs { variants?.choice.announced ?? AnnouncedCodecs() }

    /// True if audio continues to load, also while the video playlist loads.
    private var loadsAudio: Bool {
        if case .audioSegments = phase { true } else { isBesideAudio }
    }

    /// True if a playlist is requested while audio is read.
    var isBesideAudio: Bool { if case .variant = phase { !streams.all.isEmpty } else { false } }

    func nextAudioChange(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        guard loadsAudio else { return nil }
        return streams.all.indices.compactMap { index in
            streams.all[index].nextChange(playhead: playhead, rate: rate, isHeld: isEnough, depth: depth, at: now)
        }.min()
    }

    /// True if enough audio is loaded, so that video comes before more of it.
    private var isEnough: Bool { if case .audioSegments = phase { false } else { true } }

    /// Begins the requests for audio that are due.
    mutating func loadAudio(playhead: Duration, _ maker: RequestMaker, _ context: inout StepContext) {
        guard loadsAudio else { return }
        let loading = LoadConditions(
            playhead: playhead,
            isHeld: isEnough,
            depth: depth,
            announced: announced,
            maker: maker
        )
        for index in streams.all.indices {
            streams.load(index, under: loading, keyring: &record.keyring, &context)
        }
    }

    /// Handles news of the audio, and returns whether there is something to do.
    ///
    /// A complete resource ends at the same instant.
    mutating func receiveAudio(_ event: FetchEvent, ofStream index: Int, _ context: inout StepContext) -> Bool {
        guard streams.all[index].request.transferID == event.id else {
            return receiveOther(event, ofStream: index, &context)
        }
        let begun = event.isOutcome ? streams.all[index].request.segmentBegan : nil
        let arrivals = streams.all[index].intake.arrivals
        if case .data(_, let bytes) = event { streams.meter.receive(bytes.count) }
        streams.all[index].receive(event, announced: announced, keyring: record.keyring, &context)
        guard event.isOutcome else {
            return streams.all[index].request.progress.map { $0.bytes.count < $0.size } ?? false
        }
        streams.meter.end(at: context.now)
        if let begun, streams.all[index].intake.arrivals > arrivals {
            streams.meter.finish(segmentOf: begun.bytes, took: context.now - begun.at)
        }
        return true
    }

    /// Handles news of the audio's other requests: its live playlist, and hinted resources.
    private mutating func receiveOther(_ event: FetchEvent, ofStream index: Int, _ context: inout StepContext) -> Bool {
        let id = event.id
        if streams.all[index].hints.part.transferID == id || streams.all[index].hints.map.transferID == id {
            let url = streams.all[index].progress.playlist.url
            streams.all[index].hints.receive(event, of: url, &context)
        } else if streams.all[index].prefetched.transferID == event.id {
            streams.all[index].prefetched.receive(event, &context)
        } else {
            let variables = variants?.choice.playlist.variables ?? [:]
            streams.all[index].receivePlaylist(event, importing: variables, laidAnew: nil, &context)
        }
        return event.isOutcome
    }

    /// Opens the video when the audio can be passed on, with the bandwidth measured meanwhile.
    mutating func endAudio(at playhead: Duration, _ context: inout StepContext) {
        guard case .audioSegments = phase else { return }
        if let failure = streams.all.lazy.compactMap(\.failure).first { return begin(because: failure, &context) }
        let isThere = streams.bufferedEnd(from: start ?? playhead) > start ?? playhead
        let isHandedOn = source.settings.buffering.counts != .blocks || streams.haveNextBegun
        guard isThere && isHandedOn || streams.isLoadedToEnd, var course = variants else { return }
        let peak = record.preferences.peakBitrate
        guard let first = course.choice.ladder.first(peak: peak, measured: streams.meter.bitsPerSecond, at: context.now)
        else {
            return
        }
        // The loaded audio is useless for a variant with another audio rendition.
        if course.choice.audio(of: course.choice.ladder.variants[first]) == audioURL { course.choice.use(first) }
        variants = course
        if let chosen = course.choice.current { open(chosen, &context) }
    }
}
