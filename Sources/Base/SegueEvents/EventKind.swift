/// The events of a run, with their values.
///
/// The set is closed. Positions and durations are in seconds, rates in multiples of normal speed. ``CodingKeys``
/// has the name of each kind in logs, and ``declaration`` its meaning.
package enum EventKind: Sendable, Equatable, Codable {
    // The suite
    case caseBegan(file: String, scenario: String, network: String, platform: String, app: String, seed: Int)
    case caseEnded(reason: String)
    case stepBegan(number: Int, step: String)
    case finding(rule: String, message: String)

    // The platform
    case platformLifecycle(phase: String)
    case platformPaused(item: String, reason: String)
    case platformRejected(item: String, reason: String)
    case platformBelief(item: String, hasVideo: Bool)
    case platformRoute(route: String, hasPicture: Bool)
    case platformOutput(isAudible: Bool, reason: String)
    case platformOtherAudio(isPlaying: Bool, reason: String)
    case platformOtherAudioDucked(isDucked: Bool)
    case platformRemoteCommand(command: String, sender: String)

    // The app
    case appNoted(policy: String, note: String)
    case appDecided(policy: String, decision: String, reason: String)
    case appUnavailable(policy: String, reason: String)
    case appException(call: String, reason: String)
    case appMisdeclared(policy: String, key: String, problem: String, fix: String)
    case appTerminated(cause: String, reason: String)
    case backgroundTaskBegan(policy: String)
    case backgroundTaskEnded(policy: String)
    case backgroundTaskExpired(policy: String)

    // The player's queue and rate
    case playerCommand(name: String, item: String)
    case playerRate(rate: Double, reason: String)
    case playerTimeControl(status: String, waitingFor: String)
    case queueInserted(item: String, url: String)
    case queueRefused(item: String, reason: String)
    case queueRemoved(item: String, reason: String)
    case queueCurrent(item: String)
    case queueEmptied(reason: String)

    // The player's items
    case itemLoading(item: String)
    case itemTracksKnown(item: String, hasVideo: Bool, hasAudio: Bool)
    case itemMediaTypesAvailable(item: String, hasVideo: Bool, hasAudio: Bool)
    case itemStartMoved(item: String, wanted: Double, position: Double)
    case itemTrackUnchanged(item: String, reason: String)
    case itemReadyToPlay(item: String, duration: Double)
    case itemDurationKnown(item: String, duration: Double)
    case itemFailed(item: String, domain: String, code: Int, message: String)
    case itemShowsFailure(item: String, message: String)
    case itemPlayedToEnd(item: String)
    case itemFailedToPlayToEnd(item: String, message: String)
    case itemStalled(item: String, position: Double)
    case itemTimeJumped(item: String, position: Double)
    case bufferEmpty(item: String, isEmpty: Bool)
    case bufferLikelyToKeepUp(item: String, isLikely: Bool)
    case bufferFull(item: String, isFull: Bool)
    case seekBegan(item: String, target: Double, toleranceBefore: Double, toleranceAfter: Double)
    case seekEnded(item: String, position: Double, isFinished: Bool)
    case soundBegan(item: String, position: Double)
    case soundEnded(item: String, position: Double, reason: String)
    case pictureBegan(item: String, position: Double)
    case pictureEnded(item: String, position: Double, reason: String)
    case pictureQueued(item: String, frames: Int)
    case pictureHurried(item: String, frames: Int, speed: Double)

    // Interstitials of the player's current item
    case interstitialBegan(item: String, interstitial: String, position: Double)
    case interstitialAssetBegan(item: String, interstitial: String, asset: String, url: String)
    case interstitialFailed(item: String, interstitial: String, url: String, message: String)
    case interstitialEnded(item: String, interstitial: String, reason: String, played: Double, position: Double)

    // Scans of the player's current item
    case scanBegan(item: String, position: Double, rate: Double, url: String)
    case scanFrame(item: String, position: Double)
    case scanEnded(item: String, position: Double, frames: Int, reason: String)
    case scanRefused(item: String, rate: Double, reason: String)

    // The HLS client
    case playlistLoaded(item: String, url: String, segments: Int, duration: Double)
    case playlistVariantChosen(item: String, url: String, bandwidth: Int)
    case segmentLoaded(
        item: String,
        stream: String,
        number: Int,
        bytes: Int,
        start: Double,
        duration: Double,
        seconds: Double
    )
    case streamState(item: String, state: String, stopReason: String)
    case streamTitle(item: String, title: String)
    case accessLogEntry(item: String, entry: String)
    case errorLogEntry(item: String, url: String, status: Int, domain: String, code: Int, comment: String)

    // Requests over the link
    case requestBegan(request: Int, url: String, resource: String)
    case requestAnswered(request: Int, status: Int)
    case requestFinished(request: Int, bytes: Int, seconds: Double)
    case requestFailed(request: Int, reason: String, message: String)
    case requestCancelled(request: Int, bytes: Int)

    // The proxy
    case linkOpened(link: String, connection: Int, client: String, server: String)
    case linkClosed(link: String, connection: Int, reason: String, down: Int, up: Int, seconds: Double)
    case linkFailed(link: String, connection: Int, message: String)
    case linkRequest(
        link: String,
        connection: Int,
        request: Int,
        method: String,
        url: String,
        range: String,
        isReused: Bool,
        status: Int,
        bytes: Int,
        firstByte: Double,
        seconds: Double,
        fault: String,
        end: String
    )
    case linkUnread(link: String, connection: Int, what: String, host: String)
    case linkBypassed(link: String, url: String, server: String)
    case linkFault(link: String, connection: Int, url: String, fault: String)
    case linkChanged(link: String, network: String)
    case linkLateness(link: String, deliveries: Int, median: Double, percentile99: Double, greatest: Double)

    // The server
    case originServed(target: String, status: Int, bytes: Int)
    case accessRefused(address: String, name: String, reason: String)
    case originMeasured(url: String, seconds: Double, bitrate: Int)
}

extension EventKind {
    /// The names in logs, in the order of the documentation.
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case caseBegan = "case.began"
        case caseEnded = "case.ended"
        case stepBegan = "step.began"
        case finding
        case platformLifecycle = "platform.lifecycle"
        case platformPaused = "platform.paused"
        case platformRejected = "platform.rejected"
        case platformBelief = "platform.belief"
        case platformRoute = "platform.route"
        case platformOutput = "platform.output"
        case platformOtherAudio = "platform.otherAudio"
        case platformOtherAudioDucked = "platform.otherAudioDucked"
        case platformRemoteCommand = "platform.remoteCommand"
        case appNoted = "app.noted"
        case appDecided = "app.decided"
        case appUnavailable = "app.unavailable"
        case appException = "app.exception"
        case appMisdeclared = "app.misdeclared"
        case appTerminated = "app.terminated"
        case backgroundTaskBegan = "background.taskBegan"
        case backgroundTaskEnded = "background.taskEnded"
        case backgroundTaskExpired = "background.taskExpired"
        case playerCommand = "player.command"
        case playerRate = "player.rate"
        case playerTimeControl = "player.timeControl"
        case queueInserted = "queue.inserted"
        case queueRefused = "queue.refused"
        case queueRemoved = "queue.removed"
        case queueCurrent = "queue.current"
        case queueEmptied = "queue.emptied"
        case itemLoading = "item.loading"
        case itemTracksKnown = "item.tracksKnown"
        case itemMediaTypesAvailable = "item.mediaTypesAvailable"
        case itemStartMoved = "item.startMoved"
        case itemTrackUnchanged = "item.trackUnchanged"
        case itemReadyToPlay = "item.readyToPlay"
        case itemDurationKnown = "item.durationKnown"
        case itemFailed = "item.failed"
        case itemShowsFailure = "item.showsFailure"
        case itemPlayedToEnd = "item.playedToEnd"
        case itemFailedToPlayToEnd = "item.failedToPlayToEnd"
        case itemStalled = "item.stalled"
        case itemTimeJumped = "item.timeJumped"
        case bufferEmpty = "buffer.empty"
        case bufferLikelyToKeepUp = "buffer.likelyToKeepUp"
        case bufferFull = "buffer.full"
        case seekBegan = "seek.began"
        case seekEnded = "seek.ended"
        case soundBegan = "sound.began"
        case soundEnded = "sound.ended"
        case pictureBegan = "picture.began"
        case pictureEnded = "picture.ended"
        case pictureQueued = "picture.queued"
        case pictureHurried = "picture.hurried"
        case interstitialBegan = "interstitial.began"
        case interstitialAssetBegan = "interstitial.assetBegan"
        case interstitialFailed = "interstitial.failed"
        case interstitialEnded = "interstitial.ended"
        case scanBegan = "scan.began"
        case scanFrame = "scan.frame"
        case scanEnded = "scan.ended"
        case scanRefused = "scan.refused"
        case playlistLoaded = "playlist.loaded"
        case playlistVariantChosen = "playlist.variantChosen"
        case segmentLoaded = "segment.loaded"
        case streamState = "stream.state"
        case streamTitle = "stream.title"
        case accessLogEntry = "access.logEntry"
        case errorLogEntry = "error.logEntry"
        case requestBegan = "request.began"
        case requestAnswered = "request.answered"
        case requestFinished = "request.finished"
        case requestFailed = "request.failed"
        case requestCancelled = "request.cancelled"
        case linkOpened = "link.opened"
        case linkClosed = "link.closed"
        case linkFailed = "link.failed"
        case linkRequest = "link.request"
        case linkUnread = "link.unread"
        case linkBypassed = "link.bypassed"
        case linkFault = "link.fault"
        case linkChanged = "link.changed"
        case linkLateness = "link.lateness"
        case originServed = "origin.served"
        case accessRefused = "access.refused"
        case originMeasured = "origin.measured"
    }
}
