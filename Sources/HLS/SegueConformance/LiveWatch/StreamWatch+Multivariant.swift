internal import SegueBase
internal import SeguePlaylists

/// The versions of the multivariant playlist, which select the watched media playlists.
extension StreamWatch {
    /// Starts watching the entries of a multivariant playlist.
    mutating func begin(_ playlist: MultivariantPlaylist, from response: WatchResponse) -> WatchStep {
        let listed = ListedPlaylist.all(of: playlist, URIReference.Base(response.finalURL))
        var watch = MultivariantWatch(listed, variables: playlist.variables, bytes: response.bytes)
        let found = watch.ambiguous().map { finding($0, response.ended) }
        multivariant = watch
        return again(WatchStep(findings: found), response)
    }

    /// Handles a later response.
    mutating func reload(_ response: WatchResponse) -> WatchStep {
        entryBytes += response.bytes.count
        // A finished stream does not change.
        guard let watch = multivariant, !watch.isOfClients, !figures.hasEnded else { return WatchStep() }
        guard response.isThere else { return retry(response, LiveRules.reload, message: response.trouble) }
        guard !watch.isSame(response.bytes) else { return again(WatchStep(), response) }
        switch parsed(response) {
        case .failure(let error): return retry(response, LiveRules.readable, message: error.finding)
        case .success(.media):
            return retry(response, LiveRules.readable, message: "the URL now returns a media playlist")
        case .success(.multivariant(let playlist)): return again(update(playlist, response), response)
        }
    }

    /// Schedules the next load and starts watching further entries.
    private mutating func again(_ step: WatchStep, _ response: WatchResponse) -> WatchStep {
        row = 0
        guard let watch = multivariant, !watch.isOfClients else { return step }
        var step = step
        step.requests += adopt(watch.listed, watch.variables, at: response.ended)
        step.requests.append(entry(at: response.ended + MultivariantWatch.interval))
        return step
    }

    private mutating func update(_ playlist: MultivariantPlaylist, _ response: WatchResponse) -> WatchStep {
        let listed = ListedPlaylist.all(of: playlist, URIReference.Base(response.finalURL))
        guard let outcome = multivariant?.update(listed, variables: playlist.variables, bytes: response.bytes) else {
            return WatchStep()
        }
        for index in playlists.indices where !playlists[index].isLeft {
            guard let urls = outcome.urls else { break }
            if urls.contains(playlists[index].url) {
                playlists[index].departure = nil
            } else if playlists[index].departure == nil {
                let isMoved = outcome.moved.contains(playlists[index].url)
                playlists[index].departure = PlaylistDeparture(at: response.ended, isMoved: isMoved)
            }
        }
        return WatchStep(findings: outcome.breaches.map { finding($0, response.ended) })
    }

    /// Starts watching entries that are not watched yet, up to the limit.
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
            let blocking = playlists.count { $0.source.isBlocking && !$0.isLeft }
            let watch = PlaylistWatch(
                WatchedPlaylist(
                    url: one.url,
                    clock: clock,
                    options: options,
                    isBlocking: one.kind != .iFrames && blocking < options.mostBlocking,
                    isIFrames: one.kind == .iFrames,
                    captions: captions(of: one.url, in: listed),
                    imports: variables
                )
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

    /// The captions that all variants with a URL declare.
    private func captions(of url: String, in listed: [ListedPlaylist]) -> DeclaredCaptions {
        let all = Set(listed.filter { $0.url == url && $0.kind == .variant }.map(\.captions))
        return all.count == 1 ? all.first ?? .unknown : .unknown
    }

    private func finding(_ breach: Breach, _ now: Instant) -> LiveFinding {
        LiveFinding(at: now, broken: breach.broken(at: Place(url: url)))
    }
}
