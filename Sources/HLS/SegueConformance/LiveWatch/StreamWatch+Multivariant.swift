internal import SegueBase
internal import SeguePlaylists

/// The multivariant playlist after the first time, and what it changes for what is watched.
extension StreamWatch {
    /// Begins to watch what a multivariant playlist lists.
    mutating func begin(_ playlist: MultivariantPlaylist, from answer: WatchAnswer) -> WatchStep {
        let listed = ListedPlaylist.all(of: playlist, URIReference.Base(answer.finalURL))
        var watch = MultivariantWatch(listed, playlist.variables, answer.bytes)
        let found = watch.ambiguous().map { finding($0, answer.ended) }
        multivariant = watch
        return again(WatchStep(findings: found), answer)
    }

    /// Takes a later answer.
    mutating func reload(_ answer: WatchAnswer) -> WatchStep {
        entryBytes += answer.bytes.count
        // What has ended stays as it is.
        guard let watch = multivariant, !watch.isOfClients, !figures.hasEnded else { return WatchStep() }
        guard answer.isThere else { return retry(answer, LiveRules.reload, answer.trouble) }
        guard !watch.isSame(answer.bytes) else { return again(WatchStep(), answer) }
        switch parsed(answer) {
        case .failure(let error): return retry(answer, LiveRules.readable, error.description)
        case .success(.media): return retry(answer, LiveRules.readable, "it is a media playlist now")
        case .success(.multivariant(let playlist)): return again(take(playlist, answer), answer)
        }
    }

    /// Asks again later, and watches what there is room for by now.
    private mutating func again(_ step: WatchStep, _ answer: WatchAnswer) -> WatchStep {
        row = 0
        guard let watch = multivariant, !watch.isOfClients else { return step }
        var step = step
        step.requests += adopt(watch.listed, watch.variables, at: answer.ended)
        step.requests.append(entry(at: answer.ended + MultivariantWatch.every))
        return step
    }

    private mutating func take(_ playlist: MultivariantPlaylist, _ answer: WatchAnswer) -> WatchStep {
        let listed = ListedPlaylist.all(of: playlist, URIReference.Base(answer.finalURL))
        guard let outcome = multivariant?.take(listed, playlist.variables, answer.bytes) else { return WatchStep() }
        for index in playlists.indices where !playlists[index].isLeft {
            guard let urls = outcome.urls else { break }
            if urls.contains(playlists[index].url) {
                playlists[index].leave = nil
            } else if playlists[index].leave == nil {
                let isMoved = outcome.moved.contains(playlists[index].url)
                playlists[index].leave = PlaylistWatch.Leave(at: answer.ended, isMoved: isMoved)
            }
        }
        return WatchStep(findings: outcome.breaches.map { finding($0, answer.ended) })
    }

    /// Begins to watch what is listed and is not watched, as far as there is room.
    private mutating func adopt(
        _ listed: [ListedPlaylist],
        _ variables: [String: String],
        at now: Instant
    ) -> [WatchRequest] {
        var seen = Set(playlists.filter { !$0.isLeft }.map(\.url))
        var requests: [WatchRequest] = []
        for one in listed where seen.insert(one.url).inserted {
            let place = playlists.firstIndex(where: \.isLeft)
            guard place != nil || playlists.count < options.mostPlaylists else { break }
            let blocking = playlists.count { $0.isBlocking && !$0.isLeft }
            let watch = PlaylistWatch(
                one.url,
                clock: clock,
                options,
                isBlocking: one.kind != .iFrames && blocking < options.mostBlocking,
                isIFrames: one.kind == .iFrames,
                importing: variables
            )
            requests.append(watch.begin(at: now))
            if let place {
                former.add(past: playlists[place].figures)
                playlists[place] = watch
            } else {
                playlists.append(watch)
            }
        }
        return requests
    }

    private func finding(_ breach: Breach, _ now: Instant) -> LiveFinding {
        LiveFinding(at: now, broken: BrokenRule(rule: breach.rule, place: Place(url: url), message: breach.message))
    }
}
