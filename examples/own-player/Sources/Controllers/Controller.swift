import SeguePlayer

/// What the controllers have in common.
///
/// That is the user's wish, what becomes of it after a call or when the media services were reset, and how one rendition of
/// a title follows another. What each does about the background is in its own file.
@MainActor public class Controller {
    /// What the platform has to know of an app with it.
    public class var app: App { App() }

    let player: QueuePlayer
    let device: Device
    private let titles: [Title]
    private var observations: [Observation] = []

    /// Whether the user wishes to hear something.
    private(set) var isWished = false
    /// Whether it was playing when the app was about to leave the screen.
    private(set) var wasPlaying = false
    /// Whether the app is off the screen, or about to be.
    private(set) var isAway = false
    /// Whether it went over to the sound alone, and has to go back.
    var isSwitched = false
    /// Whether it plays as soon as the current item is ready.
    var playsWhenReady = false

    /// An app that plays titles one after the other.
    public required init(player: QueuePlayer, device: Device, titles: [Title]) {
        (self.player, self.device, self.titles) = (player, device, titles)
        observations = [
            device.observe { [weak self] in self?.hear($0) },
            player.observe { [weak self] in self?.hear($0) },
        ]
        for title in titles { player.insert(PlayerItem(url: address(of: title, as: .full) ?? title.full)) }
    }

    // MARK: The user

    /// The user plays.
    public func play() {
        (isWished, wasPlaying, playsWhenReady) = (true, true, false)
        player.play()
    }

    /// The user pauses.
    public func pause() {
        (isWished, wasPlaying, playsWhenReady) = (false, false, false)
        player.pause()
    }

    // MARK: What each does in its own way

    func willResignActive() {}

    func didEnterBackground() {}

    func didBecomeActive() {
        guard isSwitched else { return resumeWhatThePlatformPaused() }
        isSwitched = false
        guard player.currentItem != nil else { return }
        goOver(to: .full, playing: isUsable && (player.rate != 0 || playsWhenReady))
    }

    func backgroundTaskExpired() {}

    func isReady(_ item: PlayerItem) {
        guard item === player.currentItem, playsWhenReady else { return }
        playsWhenReady = false
        player.play()
    }

    func hasFailed(_ item: PlayerItem) {
        if item === player.currentItem { playsWhenReady = false }
    }

    /// Goes over to another rendition of the title that plays, at the same place.
    func goOver(to rendition: Title.Rendition, playing: Bool) {
        playsWhenReady = false
        replaceCurrentItem(with: rendition)
        if playing { player.play() }
    }

    func replaceCurrentItem(with rendition: Title.Rendition) {
        guard let item = player.currentItem, let url = address(of: item, as: rendition) else { return }
        player.replaceCurrentItem(with: PlayerItem(url: url, startingAt: player.currentTime))
    }

    func address(of title: Title, as rendition: Title.Rendition) -> String? {
        rendition == .full ? title.full : title.sound
    }

    func makeCurrentAgain(_ item: PlayerItem) { replaceCurrentItem(with: rendition(of: item)) }

    // MARK: What they ask

    /// Whether there is an item, and it has not failed.
    var isUsable: Bool { player.currentItem.map { $0.status != .failed } ?? false }

    /// Whether the title that plays has its sound alone as well.
    var hasSound: Bool { player.currentItem.flatMap { address(of: $0, as: .sound) } != nil }

    func rendition(of item: PlayerItem) -> Title.Rendition {
        titles.contains { $0.sound == item.url } ? .sound : .full
    }

    func address(of item: PlayerItem, as rendition: Title.Rendition) -> String? {
        titles.first { [$0.full, $0.sound, $0.multivariant].contains(item.url) }
            .flatMap { address(of: $0, as: rendition) }
    }

    func resumeWhatThePlatformPaused() {
        if wasPlaying, isUsable, player.timeControlStatus == .paused { player.play() }
    }

    // MARK: What they are told

    private func hear(_ news: DeviceNotification) {
        switch news {
        case .willResignActive:
            (isAway, wasPlaying) = (true, player.rate != 0 || playsWhenReady)
            willResignActive()
        case .didEnterBackground: didEnterBackground()
        case .didBecomeActive:
            isAway = false
            didBecomeActive()
        case .backgroundTaskExpired: backgroundTaskExpired()
        case .interruptionEnded(shouldResume: true): if isWished, isUsable { player.play() }
        case .mediaServicesWereReset: makeAllAgain()
        default: break
        }
    }

    private func hear(_ news: PlayerNotification) {
        switch news {
        case .itemReadyToPlay(let item): isReady(item)
        case .itemFailed(let item): hasFailed(item)
        default: break
        }
    }

    /// Makes every item of the queue again; those from before are of no use.
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
