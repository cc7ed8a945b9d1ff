internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Requests of a stream.
extension StreamLoader {
    /// The limits of a stream's buffer.
    struct Depth: Sendable {
        /// The buffer at which loading pauses.
        let limit: Duration
        /// The buffer at which loading resumes.
        let resume: Duration
        /// The end of a transport stream that does not count.
        let tail: Duration

        /// The limits of the platform, or those that the app requests.
        init(_ settings: PlatformProfile.Loading, _ wishes: LoadingWishes) {
            tail = settings.buffering.tail
            guard wishes.forwardBuffer > .zero else {
                (limit, resume) = (settings.buffering.bufferLimit, settings.buffering.bufferResume)
                return
            }
            let share = settings.buffering.bufferResume.seconds / settings.buffering.bufferLimit.seconds
            limit = wishes.forwardBuffer
            resume = .nanoseconds(Int64(wishes.forwardBuffer.seconds * share * 1e9))
        }
    }

    /// Returns the instant at which loading continues without new input.
    ///
    /// Instants at which ``load(playhead:isHeld:depth:keyring:maker:_:)`` would do nothing are excluded, so that time
    /// always advances.
    func nextChange(
        playhead: Duration,
        rate: Double,
        isHeld: Bool,
        depth: Depth,
        at now: Instant
    ) -> Instant? {
        guard standing != .idle, failure == nil else { return nil }
        let again = [playlist.nextChange, hint.nextChange, mapHint.nextChange].compactMap { $0 }.min()
        let request = isHeld ? nil : nextRequest(playhead: playhead, rate: rate, depth: depth, at: now)
        return [again, request, meeting(playhead: playhead, rate: rate, at: now)].compactMap { $0 }.min()
    }

    /// Returns the instant at which the playhead reaches media that were loaded ahead of it.
    private func meeting(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        guard standing == .beside, rate > 0, let start = pieces.start, start > playhead else { return nil }
        return now + Duration(reckonedNanoseconds: (Double((start - playhead).wholeNanoseconds) / rate).rounded(.up))
    }

    /// Returns the buffer ahead of the playhead, including media that it will reach later.
    private func ahead(of playhead: Duration, _ depth: Depth) -> Duration {
        let ahead = bufferedEnd(from: max(playhead, pieces.start ?? playhead)) - playhead
        return content.isTransportStream ? max(.zero, ahead - depth.tail) : ahead
    }

    private func nextRequest(playhead: Duration, rate: Double, depth: Depth, at now: Instant) -> Instant? {
        guard isResting else { return request.retryAt }
        guard rate > 0 else { return nil }
        let spare = ahead(of: playhead, depth) - depth.resume
        return now + Duration(reckonedNanoseconds: (Double(spare.wholeNanoseconds) / rate).rounded(.up))
    }

    /// The instant of the next playlist reload, if any.
    var nextReload: Instant? { standing != .idle && failure == nil ? playlist.nextChange : nil }

    /// Reloads the playlist if that is due.
    mutating func reload(_ maker: RequestMaker, _ turn: inout Turn) {
        if standing != .idle, failure == nil { playlist.load(maker, &turn) }
    }

    /// Begins the requests that are due; only for the playlist while media are held.
    mutating func load(
        playhead: Duration,
        isHeld: Bool,
        depth: Depth,
        announced: AnnouncedCodecs,
        keyring: inout Keyring,
        maker: RequestMaker,
        _ turn: inout Turn
    ) {
        guard standing != .idle, failure == nil else { return }
        playlist.load(maker, &turn)
        if hint.isOverdue(at: turn.now) {
            let url = hint.hint?.url ?? playlist.url
            failHint(PlaybackError(.network, -1001, "no answer to what was hinted at: \(url)"), &turn)
        }
        giveUpLateMapHint(&turn)
        guard !isHeld else { return }
        stepOver()
        while let slot = nextSlot {
            takeMapHint(slot, keyring, &turn)
            if slot.isGap { place(slot) } else if !takeHint(slot, announced, keyring, &turn) { break }
            stepOver()
        }
        let ahead = ahead(of: playhead, depth)
        if isLoadedToEnd || ahead <= depth.resume { isResting = false }
        prefetch(&keyring, maker, ahead: ahead, &turn)
        guard request.mayBegin(at: turn.now) else { return }
        // If the two are equal, loading pauses above them.
        if ahead >= depth.limit, ahead > depth.resume { isResting = true }
        guard let slot = nextSlot else {
            if !isResting {
                followHint(maker, &turn)
                followMapHint(maker, &turn)
            }
            return
        }
        if hint.transfer != nil, hint.isMeant(slot) {
            let limit = playlist.timeline.partTimeline?.target ?? .zero
            return hint.named(at: turn.now, within: limit)
        }
        guard !isResting, !readPrefetched(announced, &keyring, maker, ahead: ahead, &turn) else { return }
        let wanted = slot.map.flatMap { content.has($0) ? nil : $0 }
        if let wanted, mapHint.transfer != nil, mapHint.isMeant(wanted) {
            let limit = playlist.timeline.partTimeline?.target ?? .zero
            return mapHint.named(at: turn.now, within: limit)
        }
        if let url = (wanted == nil ? slot.key : slot.mapKey)?.url, !keyring.has(url) {
            failure = keyring.failure(url)
            return
        }
        begin(slot, wanted, maker: maker, ahead: ahead, &turn)
    }

    /// Requests a segment, or the initialization section that it needs.
    private mutating func begin(
        _ slot: SegmentTimeline.Slot,
        _ wanted: MapAddress?,
        maker: RequestMaker,
        ahead: Duration,
        _ turn: inout Turn
    ) {
        if let wanted {
            let begun = turn.begin("map") { maker.initialization($0, wanted, of: playlist.url) }
            return request.begin(begun, for: .map(wanted, key: slot.mapKey), at: turn.now)
        }
        if slot.isPart {
            let following = playlist.timeline.part(next, nextPart + 1)
            let begun = turn.begin("part") {
                maker.media($0, slot, following: following, stream: self, ahead: ahead)
            }
            return request.begin(begun, for: .part(slot), at: turn.now)
        }
        let following = next + 1 < playlist.timeline.upper ? playlist.timeline.slot(next + 1) : nil
        let rest = request.rest(of: slot, number: next)
        let begun = turn.begin("segment") {
            maker.media($0, slot, rest: rest, following: following, stream: self, ahead: ahead)
        }
        request.begin(begun, for: .segment(next), at: turn.now)
    }
}
