internal import Events
internal import Fetch
internal import HLS
internal import Timeline

/// A change of the variant that is under way: its playlist is being loaded.
struct VariantChange: Sendable {
    let variant: Int
    var load: PlaylistLoad

    /// Its timeline, where it came from and when it was asked for, once it is there; it takes over between two segments.
    var arrived: (timeline: SegmentTimeline, url: String, began: Instant?)?

    /// Whether no segment of the former variant is to be loaded until it comes.
    let isUrgent: Bool

    mutating func stop(_ turn: inout Turn) { load.stop(&turn) }
}

/// How a client goes from variant to variant; ``VariantLadder`` has the rule.
extension HLSClient {
    private var main: Int? { streams.firstIndex { $0.role == .main } }

    /// Looks whether another variant is to be played: when a segment of the present one came, or it failed.
    mutating func chooseVariant(
        playhead: Duration,
        _ turn: inout Turn
    ) {
        guard let ladder, let variant, ladder.variants.count > 1, let main else { return }
        if let error = failureToLeave {
            return leave(because: error, playhead: playhead, &turn)
        }
        guard change == nil, streams[main].standing != .idle, !streams[main].isLoadedToEnd else { return }
        guard streams[main].arrivals != judged || isOverLimit(variant) else { return }
        judged = streams[main].arrivals
        failures = 0
        let ahead = streams[main].bufferedEnd(from: playhead) - playhead
        let wish = self.wish(ahead: ahead, main: main)
        guard let next = ladder.next(after: variant, wish, at: turn.now), next != variant else { return }
        let isUrgent = ladder.variants[next].bandwidth < ladder.variants[variant].bandwidth
        go(to: next, isUrgent: isUrgent, &turn)
    }

    private var failureToLeave: PlaybackError? {
        for index in streams.indices where streams[index].role != .subtitles && streams[index].standing != .idle {
            if let failure = standingFailure(of: index) { return failure }
        }
        return nil
    }

    private func isOverLimit(_ variant: Int) -> Bool {
        guard let ladder else { return false }
        let bandwidth = ladder.variants[variant].bandwidth
        let isTooHigh =
            wishes.peakBitrate > 0 && bandwidth > wishes.peakBitrate
            && ladder.variants.contains { $0.bandwidth < bandwidth }
        return isTooHigh
            || audioURL == nil && !isVideoLoaded && hasSoundAlone && !isSoundAlone(ladder.variants[variant])
    }

    private func wish(ahead: Duration, main: Int) -> VariantLadder.Wish {
        VariantLadder.Wish(
            estimate: meter.bitsPerSecond,
            ahead: ahead,
            peak: wishes.peakBitrate,
            suits: suits
        )
    }

    /// Whether a variant's media go with what is loaded: sound apart with sound apart, and pictures where wanted.
    private var suits: (Variant) -> Bool {
        let client = self
        let wantsSoundAlone = !isVideoLoaded && audioURL == nil && hasSoundAlone
        // Where the sound has failed, only a variant with another one is of use.
        let isSoundLost = streams.indices.contains { streams[$0].role == .audio && standingFailure(of: $0) != nil }
        let present = variant.flatMap { ladder?.variants[$0] }.flatMap(sound)
        return { other in
            let sound = client.sound(of: other)
            return (sound != nil) == (client.audioURL != nil) && (!isSoundLost || sound != present)
                && (!wantsSoundAlone || client.isSoundAlone(other))
        }
    }

    private func isSoundAlone(_ variant: Variant) -> Bool {
        variant.resolution == nil && AnnouncedCodecs(variant.codecs).isSoundAlone
    }

    private var hasSoundAlone: Bool { ladder?.variants.contains(where: isSoundAlone) ?? false }

    /// The variant failed, or its audio rendition did.
    private mutating func leave(
        because error: PlaybackError,
        playhead: Duration,
        _ turn: inout Turn
    ) {
        guard let variant, let main, failures < HLSClient.mostFailures else { return }
        ladder?.bar(variant, because: error, at: turn.now)
        failures += 1
        let ahead = streams[main].bufferedEnd(from: playhead) - playhead
        let wish = self.wish(ahead: ahead, main: main)
        guard let next = ladder?.next(after: variant, wish, at: turn.now), next != variant else { return }
        go(to: next, isUrgent: true, &turn)
    }

    private mutating func go(
        to next: Int,
        isUrgent: Bool,
        _ turn: inout Turn
    ) {
        guard let ladder, let multivariant else { return }
        let address = URIReference.resolve(ladder.variants[next].uri, against: multivariant.url)
        change = VariantChange(variant: next, load: PlaylistLoad(url: address), isUrgent: isUrgent)
        if let known = timelines[address] { change?.arrived = (known.timeline, known.url, nil) }
        finishChange(&turn)
    }

    /// The playlist of a variant that is to be changed to has come, or never will.
    mutating func changeCame(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        _ turn: inout Turn
    ) {
        guard let change else { return }
        do throws(PlaybackError) {
            let arrival = try result.get()
            guard case .media(let media) = arrival.playlist else {
                throw PlaybackError(.nested, "a variant is itself a multivariant playlist: \(arrival.url)")
            }
            deliver(arrival, role: .main, address: change.load.url, &turn)
            let timeline = try self.timeline(of: media, arrival)
            log(timeline, arrival.url, &turn)
            timelines.add(timeline, of: change.load.url, from: arrival.url)
            self.change?.arrived = (timeline, arrival.url, arrival.began)
        } catch {
            self.change = nil
            if case .success = result {
                turn.record(error, uri: change.load.url)
            }
            ladder?.bar(change.variant, because: error, at: turn.now)
            failures += 1
            // The next look chooses again.
            judged = -1
        }
    }

    /// Changes the variant when its playlist is there and no segment of the former one is under way.
    mutating func finishChange(_ turn: inout Turn) {
        guard let change, let (timeline, url, began) = change.arrived, let main, streams[main].transfer == nil,
            let ladder, let variant
        else { return }
        let (former, next) = (ladder.variants[variant], ladder.variants[change.variant])
        leftVariant = (streams[main].playlistURL, former.averageBandwidth ?? former.bandwidth)
        streams[main].change(to: timeline, from: url, at: pace.position, &turn)
        streams[main].speed.scale(fromBitrate: former.bandwidth, to: next.bandwidth)
        if let began {
            streams[main].reload.came(isNews: true, began: began, targetDuration: timeline.targetDuration)
        }
        self.variant = change.variant
        self.change = nil
        changes += 1
        turn.log(.playlistVariantChosen(item: item.description, url: url, bandwidth: next.bandwidth))
        changeAudio(to: next, &turn)
    }

    /// Another variant's audio rendition takes over where the former one's sound ends.
    private mutating func changeAudio(to variant: Variant, _ turn: inout Turn) {
        guard let address = audio(of: variant), address != audioURL else { return }
        audioURL = address
        audioChange?.stop(&turn)
        audioChange = PlaylistLoad(url: address)
    }

    /// The playlist of another audio rendition has come, or never will.
    mutating func audioChangeCame(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        _ turn: inout Turn
    ) {
        let address = audioChange?.url ?? ""
        audioChange = nil
        guard let index = streams.firstIndex(where: { $0.role == .audio }) else { return }
        do throws(PlaybackError) {
            let arrival = try result.get()
            guard case .media(let media) = arrival.playlist else {
                throw PlaybackError(.nested, "an audio rendition is a multivariant playlist: \(arrival.url)")
            }
            deliver(arrival, role: .audio, address: address, &turn)
            let timeline = try self.timeline(of: media, arrival)
            log(timeline, arrival.url, &turn)
            if streams[index].transfer != nil { meter.end(at: turn.now) }
            streams[index].change(to: timeline, from: arrival.url, at: pace.position, &turn)
            streams[index].reload.came(isNews: true, began: arrival.began, targetDuration: timeline.targetDuration)
        } catch {
            if case .success = result {
                turn.record(error, uri: address)
            }
            streams[index].failure = error
        }
    }

    // MARK: Segments that come too late

    /// Gives up a segment that will come after the buffer has been used up, where a lower variant's would come before.
    ///
    /// - Returns: Whether it did.
    mutating func abandonLate(_ turn: inout Turn) -> Bool {
        guard let ladder, let variant, ladder.variants.count > 1, change == nil, pace.rate > 0, let main,
            let transfer = streams[main].transfer, let slot = streams[main].nextSlot
        else { return false }
        let elapsed = (turn.now - transfer.began).seconds
        let bytes = transfer.bytes.count
        guard elapsed >= 1, bytes > 0 else { return false }
        let declared = Double(ladder.variants[variant].bandwidth) * slot.duration.seconds / 8
        let size = transfer.announcedLength.map(Double.init) ?? declared
        let bitsPerSecond = Double(bytes) * 8 / elapsed
        let remaining = (size - Double(bytes)) * 8 / bitsPerSecond
        let played = (turn.now - pace.at).seconds * pace.rate
        let position = pace.position + .nanoseconds(Int64(played * 1e9))
        let ahead = (bufferedEnd(from: pace.position) - position).seconds / pace.rate
        guard ahead > 0, remaining > ahead else { return false }
        let rescue = ladder.rescue(
            from: variant,
            duration: slot.duration,
            within: .nanoseconds(Int64(min(ahead, remaining) * 1e9)),
            bitsPerSecond: bitsPerSecond,
            suits: suits,
            at: turn.now
        )
        guard let rescue else { return false }
        meter.end(at: turn.now)
        streams[main].stop(&turn)
        go(to: rescue, isUrgent: true, &turn)
        return true
    }
}
