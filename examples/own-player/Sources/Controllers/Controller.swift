import SeguePlayer

/// The common parts of the controllers.
///
/// They are the user's request, its state after a call or a reset of the media services, and the switch between
/// renditions of a title. The file of each controller has its background behavior.
@MainActor public class Controller {
    /// The facts about the app that the platform needs.
    public class var app: App { App() }

    let player: QueuePlayer
    let device: Device
    private let titles: [Title]
    private var observations: [Observation] = []

    /// True if the user wants playback.
    private(set) var isWished = false
    /// True if the app was playing when it was about to leave the screen.
    private(set) var wasPlaying = false
    /// True if the app is off the screen, or about to leave it.
    private(set) var isAway = false
    /// True if the controller switched to the audio alone and has to switch back.
    var isSwitched = false
    /// True if playback starts as soon as the current item is ready.
    var playsWhenReady = false
    /// True while a background task keeps the app from being suspended.
    private var holdsTask = false

    /// Creates a controller that plays titles in order.
    public required init(player: QueuePlayer, device: Device, titles: [Title]) {
        (self.player, self.device, self.titles) = (player, device, titles)
        observations = [
            device.observe { [weak self] in self?.hear($0) },
            player.observe { [weak self] in self?.hear($0) },
        ]
        for title in titles { player.insert(PlayerItem(url: address(of: title, as: .full) ?? title.full)) }
    }

    // MARK: User

    /// The user presses play.
    public func play() {
        (isWished, wasPlaying, playsWhenReady) = (true, true, false)
        player.play()
    }

    /// The user presses pause.
    public func pause() {
        (isWished, wasPlaying, playsWhenReady) = (false, false, false)
        player.pause()
        if !endsTaskWhenReady { endTask() }
    }

    // MARK: Background behavior

    /// True if the background task ends when the new item is ready.
    var endsTaskWhenReady: Bool { true }

    func willResignActive() {}

    func didEnterBackground() {}

    func didBecomeActive() {
        endTask()
        guard isSwitched else { return resumeWhatThePlatformPaused() }
        isSwitched = false
        guard player.currentItem != nil else { return }
        switchItem(to: .full, playing: isUsable && (player.rate != 0 || playsWhenReady))
    }

    func isReady(_ item: PlayerItem) {
        guard item === player.currentItem else { return }
        if playsWhenReady {
            playsWhenReady = false
            player.play()
        }
        if endsTaskWhenReady { endTask() }
    }

    /// Handles the time of the current item starting to advance.
    func startsPlaying() {}

    func hasFailed(_ item: PlayerItem) {
        guard item === player.currentItem else { return }
        playsWhenReady = false
        endTask()
    }

    /// Begins a background task, which ends when the new item is ready or fails, or the app returns.
    func beginTask() {
        holdsTask = true
        device.beginBackgroundTask()
    }

    func endTask() {
        guard holdsTask else { return }
        holdsTask = false
        device.endBackgroundTask()
    }

    /// Switches to another rendition of the current title, at the same position.
    func switchItem(to rendition: Title.Rendition, playing: Bool) {
        playsWhenReady = false
        replaceCurrentItem(with: rendition)
        if playing { player.play() }
    }

    func replaceCurrentItem(with rendition: Title.Rendition) {
        guard let item = player.currentItem, let url = address(of: item, as: rendition) else { return }
        player.replaceCurrentItem(with: PlayerItem(url: url, startingAt: player.currentTime))
    }

    func address(of title: Title, as rendition: Title.Rendition) -> String? {
        rendition == .full ? title.full : title.audio
    }

    func makeCurrentAgain(_ item: PlayerItem) { replaceCurrentItem(with: rendition(of: item)) }

    // MARK: State

    /// True if there is an item that has not failed.
    var isUsable: Bool { player.currentItem.map { $0.status != .failed } ?? false }

    /// True if the current title has a rendition with the audio alone.
    var hasAudio: Bool { player.currentItem.flatMap { address(of: $0, as: .audio) } != nil }

    func rendition(of item: PlayerItem) -> Title.Rendition {
        titles.contains { $0.audio == item.url } ? .audio : .full
    }

    func address(of item: PlayerItem, as rendition: Title.Rendition) -> String? {
        titles.first { [$0.full, $0.audio, $0.multivariant].contains(item.url) }
            .flatMap { address(of: $0, as: rendition) }
    }

    func resumeWhatThePlatformPaused() {
        if wasPlaying, isUsable, player.timeControlStatus == .paused { player.play() }
    }

    // MARK: Notifications

    private func hear(_ news: DeviceNotification) {
        switch news {
        case .willResignActive:
            (isAway, wasPlaying) = (true, player.rate != 0 || playsWhenReady)
            willResignActive()
        case .didEnterBackground: didEnterBackground()
        case .didBecomeActive:
            isAway = false
            didBecomeActive()
        case .backgroundTaskExpired: endTask()
        case .interruptionEnded(shouldResume: true): if isWished, isUsable { player.play() }
        case .mediaServicesWereReset: makeAllAgain()
        default: break
        }
    }

    private func hear(_ news: PlayerNotification) {
        switch news {
        case .itemReadyToPlay(let item): isReady(item)
        case .itemFailed(let item): hasFailed(item)
        case .timeControlStatusChanged(.playing) where player.currentItem?.status == .readyToPlay: startsPlaying()
        default: break
        }
    }

    /// Recreates every item of the queue, since the old ones are unusable.
    private func makeAllAgain() {
        guard let current = player.currentItem else { return }
        playsWhenReady = isWished
        makeCurrentAgain(current)
        for former in player.items.dropFirst() where former.status == .failed {
            player.insert(PlayerItem(url: former.url), after: former)
            player.remove(former)
        }
    }
}
