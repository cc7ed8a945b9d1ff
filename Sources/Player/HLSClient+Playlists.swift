internal import Fetch
internal import HLS
internal import Timeline

/// What a client makes of the playlists that come.
extension HLSClient {
    typealias Arrival = (playlist: Playlist, url: String, bytes: [UInt8])

    /// Takes in news of the playlist that is being loaded; tells when it has come or never will.
    mutating func receive(
        _ event: FetchEvent,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) -> Result<Arrival, PlaybackError>? {
        let variables = multivariant?.playlist.variables ?? [:]
        let address = playlist?.url ?? url
        let result = playlist?.receive(
            event,
            importing: variables,
            item: item,
            at: now,
            settings: settings,
            journal: &journal,
            output: &output
        )
        if case .success(let arrival)? = result {
            var role = StreamRole.main
            if case .audio = phase { role = .audio }
            output.effects.append(
                .delivered(
                    DeliveredResource(
                        item: item,
                        stream: role,
                        kind: .playlist,
                        url: address,
                        range: nil,
                        bytes: arrival.bytes
                    )
                )
            )
        }
        return result
    }

    mutating func entryCame(
        _ result: Result<Arrival, PlaybackError>,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        switch result {
        case .failure(let error): phase = .failed(error)
        case .success(let arrival):
            switch arrival.playlist {
            case .media(let playlist):
                do {
                    try add(playlist, role: .main, from: arrival.url, output: &output)
                    phase = .streaming
                } catch {
                    fail(error, at: now, journal: &journal, output: &output)
                }
            case .multivariant(let playlist):
                multivariant = (playlist, arrival.url)
                candidates = VariantChoice.order(playlist.variants, settings)
                tryNextVariant(
                    because: PlaybackError(.noVariant, "no variant has codecs that can be played: \(url)"),
                    at: now,
                    journal: &journal,
                    output: &output
                )
            }
        }
    }

    private mutating func tryNextVariant(
        because error: PlaybackError,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        streams = []
        guard !candidates.isEmpty, let multivariant else {
            fail(error, at: now, journal: &journal, output: &output)
            return
        }
        let variant = candidates.removeFirst()
        let address = URIReference.resolve(variant.uri, against: multivariant.url)
        indicatedBitrate = variant.averageBandwidth ?? variant.bandwidth
        output.log(.playlistVariantChosen(item: item.description, url: address, bandwidth: variant.bandwidth))
        audioURL = VariantChoice.audio(for: variant, in: multivariant.playlist).map {
            URIReference.resolve($0, against: multivariant.url)
        }
        // Where the variant's own media are the sound, there is nothing else to load.
        if audioURL == address { audioURL = nil }
        phase = .variant
        self.playlist = PlaylistLoad(url: address)
    }

    mutating func variantCame(
        _ result: Result<Arrival, PlaybackError>,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        do throws(PlaybackError) {
            let arrival = try result.get()
            guard case .media(let playlist) = arrival.playlist else {
                throw PlaybackError(.nested, "a variant is itself a multivariant playlist: \(arrival.url)")
            }
            try add(playlist, role: .main, from: arrival.url, output: &output)
            phase = audioURL == nil ? .streaming : .audio
            self.playlist = audioURL.map(PlaylistLoad.init)
        } catch {
            tryNextVariant(because: error, at: now, journal: &journal, output: &output)
        }
    }

    mutating func audioCame(
        _ result: Result<Arrival, PlaybackError>,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        do throws(PlaybackError) {
            let arrival = try result.get()
            guard case .media(let playlist) = arrival.playlist else {
                throw PlaybackError(.nested, "an audio rendition is a multivariant playlist: \(arrival.url)")
            }
            try add(playlist, role: .audio, from: arrival.url, output: &output)
            phase = .streaming
        } catch {
            tryNextVariant(because: error, at: now, journal: &journal, output: &output)
        }
    }

    private mutating func add(
        _ playlist: MediaPlaylist,
        role: StreamRole,
        from url: String,
        output: inout PlayerOutput
    ) throws(PlaybackError) {
        var playlist = playlist
        playlist.start = playlist.start ?? multivariant?.playlist.start
        let timeline = try SegmentTimeline(playlist, from: url)
        output.log(
            .playlistLoaded(
                item: item.description,
                url: url,
                segments: timeline.slots.count,
                duration: timeline.duration.seconds
            )
        )
        let position = start ?? wantedStart ?? timeline.preferredStart ?? .zero
        streams.append(StreamLoader(role: role, playlistURL: url, timeline: timeline, position: position))
    }

    private mutating func fail(
        _ error: PlaybackError,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        if journal.errors.last?.error != error {
            journal.record(error, uri: url, item: item, at: now, output: &output)
        }
        phase = .failed(error)
    }
}
