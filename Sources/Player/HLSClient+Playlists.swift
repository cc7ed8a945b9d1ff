internal import Events
internal import Fetch
internal import HLS
internal import Timeline

/// What a client makes of the playlists that come before it streams.
extension HLSClient {
    /// The most variants that are tried one after another before the item has failed.
    static let mostFailures = 32

    /// Takes in news of the playlist that is being loaded; tells when it has come or never will.
    mutating func receive(
        _ event: FetchEvent,
        _ turn: inout Turn
    ) -> Result<PlaylistLoad.Arrival, PlaybackError>? {
        playlist?.receive(
            event,
            importing: multivariant?.playlist.variables ?? [:],
            &turn
        )
    }

    /// The playlist that was being loaded has come, or never will.
    mutating func came(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        _ turn: inout Turn
    ) {
        if case .success(let arrival) = result {
            var role = StreamRole.main
            if case .audio = phase { role = .audio }
            deliver(arrival, role: role, address: playlist?.url ?? url, &turn)
        }
        do throws(PlaybackError) {
            let arrival = try result.get()
            if case .entry = phase, case .multivariant(let playlist) = arrival.playlist {
                multivariant = (playlist, arrival.url)
                sounds = RenditionChoice.audio(in: playlist, languages: settings.languages)
                ladder = VariantLadder(playlist.variants, settings)
                throw PlaybackError(.noVariant, "no variant has codecs that can be played: \(url)")
            }
            guard case .media(let playlist) = arrival.playlist else {
                throw PlaybackError(.nested, "a variant or rendition is a multivariant playlist: \(arrival.url)")
            }
            try add(playlist, arrival, &turn)
        } catch {
            if multivariant != nil {
                begin(because: error, &turn)
            } else {
                fail(error, &turn)
            }
        }
    }

    /// Hands over a playlist that came.
    func deliver(
        _ arrival: PlaylistLoad.Arrival,
        role: StreamRole,
        address: String,
        _ turn: inout Turn
    ) {
        turn.deliver(
            DeliveredResource(
                item: item,
                stream: role,
                kind: .playlist,
                url: address,
                range: nil,
                content: arrival.bytes
            )
        )
    }

    /// Begins with the first variant that has not failed.
    private mutating func begin(
        because error: PlaybackError,
        _ turn: inout Turn
    ) {
        for index in streams.indices { streams[index].stop(&turn) }
        streams = []
        if let variant {
            ladder?.bar(variant, because: error, at: turn.now)
            failures += 1
        }
        guard failures < HLSClient.mostFailures, let multivariant, let ladder,
            let first = ladder.first(peak: wishes.peakBitrate, at: turn.now)
        else { return fail(error, &turn) }
        variant = first
        let chosen = ladder.variants[first]
        let address = URIReference.resolve(chosen.uri, against: multivariant.url)
        turn.log(.playlistVariantChosen(item: item.description, url: address, bandwidth: chosen.bandwidth))
        audioURL = audio(of: chosen)
        phase = .variant
        playlist = PlaylistLoad(url: address)
    }

    /// The address of the audio rendition that goes with a variant; nil where its own media have the sound.
    func audio(of variant: Variant) -> String? {
        guard let multivariant else { return nil }
        return sound(of: variant).map { URIReference.resolve($0, against: multivariant.url) }
    }

    /// The audio rendition that goes with a variant, as written; nil where its own media have the sound.
    func sound(of variant: Variant) -> String? {
        let uri = variant.audioGroup.flatMap { sounds[$0] }
        return uri == variant.uri ? nil : uri
    }

    private mutating func add(
        _ media: MediaPlaylist,
        _ arrival: PlaylistLoad.Arrival,
        _ turn: inout Turn
    ) throws(PlaybackError) {
        var role = StreamRole.main
        if case .audio = phase { role = .audio }
        var stream = try stream(of: media, arrival, role: role, &turn)
        if role == .main, audioURL != nil, !isVideoLoaded { stream.standing = .idle }
        if let asked = playlist?.url { timelines.add(stream.timeline, of: asked, from: arrival.url) }
        streams.append(stream)
        playlist = nil
        if role == .main, let audioURL {
            phase = .audio
            playlist = PlaylistLoad(url: audioURL)
        } else {
            phase = .streaming
            askForSubtitles()
        }
    }

    /// A stream that loads what a playlist names, from where the item begins.
    func stream(
        of media: MediaPlaylist,
        _ arrival: PlaylistLoad.Arrival,
        role: StreamRole,
        _ turn: inout Turn
    ) throws(PlaybackError) -> StreamLoader {
        let timeline = try self.timeline(of: media, arrival)
        log(timeline, arrival.url, &turn)
        let position = start ?? wantedStart ?? timeline.joinPosition
        var stream = StreamLoader(role: role, playlistURL: arrival.url, timeline: timeline, position: position)
        stream.reload.came(isNews: true, began: arrival.began, targetDuration: timeline.targetDuration)
        return stream
    }

    /// A playlist's timeline, beside those that are there.
    func timeline(of media: MediaPlaylist, _ arrival: PlaylistLoad.Arrival) throws(PlaybackError) -> SegmentTimeline {
        var media = media
        media.start = media.start ?? multivariant?.playlist.start
        return try SegmentTimeline(
            media,
            from: arrival.url,
            encryption: settings.encryption,
            beside: timeline
        )
    }

    func log(_ timeline: SegmentTimeline, _ url: String, _ turn: inout Turn) {
        turn.log(
            .playlistLoaded(
                item: item.description,
                url: url,
                segments: timeline.slots.count,
                duration: (timeline.end - timeline.start).seconds
            )
        )
    }

    private mutating func fail(
        _ error: PlaybackError,
        _ turn: inout Turn
    ) {
        if turn.journal.errors.last?.error != error {
            turn.record(error, uri: url)
        }
        phase = .failed(error)
    }
}

/// Subtitles are loaded beside what is played, and hold nothing up.
extension HLSClient {
    private mutating func askForSubtitles() {
        guard let multivariant, let variant, let ladder else { return }
        let uri = RenditionChoice.subtitles(
            for: ladder.variants[variant],
            in: multivariant.playlist,
            languages: settings.languages
        )
        subtitles = uri.map { PlaylistLoad(url: URIReference.resolve($0, against: multivariant.url)) }
    }

    /// Takes in news of the subtitles' playlist; where it never comes there are none.
    mutating func subtitlesCame(
        _ event: FetchEvent,
        _ turn: inout Turn
    ) {
        let result = subtitles?.receive(
            event,
            importing: multivariant?.playlist.variables ?? [:],
            &turn
        )
        guard let result else { return }
        if case .success(let arrival) = result, case .media(let media) = arrival.playlist {
            deliver(arrival, role: .subtitles, address: subtitles?.url ?? arrival.url, &turn)
            do throws(PlaybackError) {
                var stream = try stream(of: media, arrival, role: .subtitles, &turn)
                stream.takeUp(at: pace.position, &turn)
                streams.append(stream)
            } catch {
                turn.record(error, uri: arrival.url)
            }
        }
        subtitles = nil
    }
}
