internal import Events
internal import Fetch
internal import HLS
internal import Timeline

/// What a stream makes of what comes.
extension StreamLoader {
    /// Takes in news of a request of its own.
    ///
    /// Where its timeline is adrift, `place` says beside what it is laid anew and where the playhead is.
    mutating func receive(
        _ event: FetchEvent,
        place: (beside: SegmentTimeline, position: Duration)?,
        announced: AnnouncedCodecs,
        variables: [String: String],
        keyring: Keyring,
        _ turn: inout Turn
    ) {
        guard transfer?.id == event.id else {
            let result = reload.load?.receive(
                event,
                importing: variables,
                &turn
            )
            if let result { reloaded(result, place, &turn) }
            return
        }
        switch event {
        case .response(_, let response): transfer?.receive(response, at: turn.now)
        case .data(let id, let bytes):
            transfer?.receive(bytes)
            guard let reason = transfer?.look(at: turn.now) else { return }
            turn.cancel(id)
            fail(reason, &turn)
        case .failed(_, let error):
            fail(LoadFailure(error), &turn)
        case .finished:
            switch transfer?.result(isLive: !timeline.isEnded) {
            case .success(let bytes):
                finish(bytes, announced, keyring, &turn)
                if let failure {
                    turn.record(failure, uri: playlistURL)
                }
            case .failure(let reason):
                fail(reason, &turn)
            case nil: break
            }
        }
    }

    // MARK: The playlist again

    private mutating func reloaded(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        _ place: (beside: SegmentTimeline, position: Duration)?,
        _ turn: inout Turn
    ) {
        do throws(PlaybackError) {
            let arrival = try result.get()
            guard case .media(let playlist) = arrival.playlist else {
                throw PlaybackError(.nested, "a media playlist became a multivariant playlist: \(arrival.url)")
            }
            var change = SegmentTimeline.Change(isNews: true)
            if let place {
                let encryption = turn.settings.encryption
                let url = arrival.url
                anchor(
                    try SegmentTimeline(playlist, from: url, encryption: encryption, beside: place.beside),
                    at: place.position
                )
            } else {
                change = try timeline.update(playlist, from: arrival.url)
            }
            if let complaint = change.complaint {
                turn.record(complaint, uri: playlistURL)
            }
            reload.came(isNews: change.isNews, began: arrival.began, targetDuration: timeline.targetDuration)
            if change.isNews {
                turn.log(
                    .playlistLoaded(
                        item: turn.item.description,
                        url: arrival.url,
                        segments: timeline.slots.count,
                        duration: (timeline.end - timeline.start).seconds
                    )
                )
            }
            guard reload.unchanged < turn.settings.stuckReloads else {
                throw PlaybackError(
                    .stuck,
                    "the playlist was loaded \(reload.unchanged) times without news: \(playlistURL)"
                )
            }
        } catch {
            reload.load = nil
            failure = error
            if case .success = result {
                turn.record(error, uri: playlistURL)
            }
        }
    }

    // MARK: Media

    private mutating func finish(
        _ received: FetchBytes,
        _ announced: AnnouncedCodecs,
        _ keyring: Keyring,
        _ turn: inout Turn
    ) {
        guard let transfer, let target else { return }
        self.transfer = nil
        self.target = nil
        attempts = Attempts()
        let took = turn.now - transfer.began
        turn.note(playlistURL) { entry in
            entry.requests += 1
            entry.bytes += received.count
            entry.serverAddress = transfer.response?.serverAddress ?? ""
        }
        var bytes = received
        let kind: DeliveredResource.Kind
        switch target {
        case .map(let address, let key):
            kind = .map
            bytes = take(bytes, of: address, key, keyring, url: transfer.url)
        case .segment(let number):
            guard number == next, let slot = nextSlot else { return }
            kind = .segment(
                number: number,
                start: slot.start,
                duration: slot.duration,
                map: slot.map,
                startsDiscontinuity: slot.startsDiscontinuity
            )
            speed.add(media: slot.duration, took: took, bytes: received.count)
            turn.note(playlistURL) { entry in
                entry.segments += 1
                entry.downloaded += slot.duration
                entry.transferTime += took
                if took > .zero { entry.observedBitrate.add(Double(received.count) * 8 / took.seconds) }
                if took > slot.duration { entry.overdueSegments += 1 }
            }
            bytes = see(slot, received, announced, keyring, url: transfer.url)
        }
        turn.deliver(
            DeliveredResource(
                item: turn.item,
                stream: role,
                kind: kind,
                url: transfer.url,
                range: transfer.range,
                content: bytes
            )
        )
        guard case .segment(let number) = target, failure == nil, let slot = nextSlot else { return }
        place(slot)
        arrivals += 1
        turn.log(
            .segmentLoaded(
                item: turn.item.description,
                stream: role.rawValue,
                number: number,
                bytes: received.count,
                start: slot.start.seconds,
                duration: slot.duration.seconds,
                seconds: took.seconds
            )
        )
    }

    /// Opens an initialization section and looks into it; what cannot be read fails the stream.
    ///
    /// - Returns: Its bytes, decrypted.
    private mutating func take(
        _ received: FetchBytes,
        of address: MapAddress,
        _ key: SegmentKey?,
        _ keyring: Keyring,
        url: String
    ) -> FetchBytes {
        do throws(PlaybackError) {
            let bytes = try keyring.open(received, with: key, from: url)
            if let holds = inspect(bytes, initialization: nil, url: url) { map = (address, holds) }
            return bytes
        } catch {
            failure = error
            return received
        }
    }

    /// Opens a segment and looks into it; what cannot be read fails the stream.
    ///
    /// - Returns: Its bytes, decrypted.
    private mutating func see(
        _ slot: SegmentTimeline.Slot,
        _ received: FetchBytes,
        _ announced: AnnouncedCodecs,
        _ keyring: Keyring,
        url: String
    ) -> FetchBytes {
        do throws(PlaybackError) {
            let bytes = try keyring.open(received, with: slot.key, from: url)
            let initialization = slot.map.flatMap { $0 == map?.address ? map?.holds : nil }
            let areSamplesEncrypted = slot.key?.method == .samples
            guard
                let holds = inspect(
                    bytes,
                    initialization: initialization,
                    areSamplesEncrypted: areSamplesEncrypted,
                    url: url
                )
            else { return bytes }
            // Subtitles may have nothing to say for a while.
            guard role == .subtitles || holds.hasMedia && holds.layout != .mp4 else {
                let what = holds.hasMedia ? "is a whole MP4 file, no fragment of one" : "holds no media"
                throw PlaybackError(.media, 1, "the segment \(what): \(url)")
            }
            try announced.check(holds, url: url)
            let seen = ItemTracks(holds).union(initialization.map(ItemTracks.init) ?? ItemTracks(holds))
            tracks = areTracksFormer ? seen : tracks?.union(seen) ?? seen
            areTracksFormer = false
            return bytes
        } catch {
            failure = error
            return received
        }
    }

    /// Looks into what came; what cannot be read fails the stream.
    private mutating func inspect(
        _ bytes: FetchBytes,
        initialization: SegmentInspection?,
        areSamplesEncrypted: Bool = true,
        url: String
    ) -> SegmentInspection? {
        do {
            let holds = try bytes.inspection(with: initialization)
            let isText = holds.layout == .webVTT
            guard isText == (role == .subtitles) || holds.layout == .fragmentedMP4 else {
                failure = PlaybackError(.media, 1, "\(isText ? "subtitles" : "media") where others belong: \(url)")
                return nil
            }
            guard areSamplesEncrypted || !holds.tracks.contains(where: \.isEncrypted) else {
                failure = PlaybackError(.encrypted, "the media are encrypted and the playlist has no key: \(url)")
                return nil
            }
            return holds
        } catch {
            failure = PlaybackError(.media, 1, "\(error): \(url)")
            return nil
        }
    }
}

extension ItemTracks {
    fileprivate init(_ inspection: SegmentInspection) {
        self.init(hasVideo: inspection.hasVideo, hasAudio: inspection.hasAudio)
    }
}
