import SeguePlayer

/// An app that goes over to the sound alone when it leaves the screen, and back: what the policies `switch-…` of
/// `Harness/apps` do, written as an app's own code.
@MainActor final class BackgroundSwitcher {
    /// What one release of it does.
    struct Habits {
        /// When it takes itself to be playing, once it is in the background.
        var isPlaying: Condition
        /// What it does with an item that has no pictures.
        var withoutPictures: WithoutPictures
        /// Whether it waits until the new item is ready, and asks to run on meanwhile.
        var waits: Bool

        enum Condition { case rate, wasPlaying }
        enum WithoutPictures { case switches, leaves, resumes }

        static let ifRate = Habits(isPlaying: .rate, withoutPictures: .switches, waits: false)
        static let ifWasPlaying = Habits(isPlaying: .wasPlaying, withoutPictures: .leaves, waits: false)
        static let andResumeAudio = Habits(isPlaying: .wasPlaying, withoutPictures: .resumes, waits: false)
        static let whenReady = Habits(isPlaying: .wasPlaying, withoutPictures: .resumes, waits: true)
    }

    private let player: QueuePlayer
    private let device: Device
    private let habits: Habits
    private let full: String
    private let sound: String
    private var observations: [Observation] = []
    private var wasPlaying = false
    private var isReplaced = false
    private var awaited: PlayerItem?

    /// The app, with an address of an item and one of its sound alone.
    init(in world: World, _ habits: Habits, full: String, sound: String) {
        (player, device, self.habits, self.full, self.sound) = (world.player, world.device, habits, full, sound)
        observations = [
            device.observe { [unowned self] in hear($0) },
            player.observe { [unowned self] in hear($0) },
        ]
        player.insert(PlayerItem(url: full))
    }

    private func hear(_ news: DeviceNotification) {
        switch news {
        case .willResignActive: wasPlaying = player.rate != 0 || awaited != nil
        case .didEnterBackground: leave()
        case .didBecomeActive: comeBack()
        default: break
        }
    }

    private func hear(_ news: PlayerNotification) {
        switch news {
        case .itemReadyToPlay(let item) where item === awaited:
            awaited = nil
            player.play()
            device.endBackgroundTask()
        case .itemFailed(let item) where item === awaited:
            awaited = nil
            device.endBackgroundTask()
        default: break
        }
    }

    private func leave() {
        guard let item = player.currentItem, item.status != .failed else { return }
        guard habits.isPlaying == .rate ? player.rate != 0 : wasPlaying else { return }
        if item.hasVideo == false {
            switch habits.withoutPictures {
            case .switches: break
            case .leaves: return
            case .resumes: return player.play()
            }
        }
        isReplaced = true
        if habits.waits { device.beginBackgroundTask() }
        replace(with: sound, plays: true)
    }

    private func comeBack() {
        guard isReplaced else {
            if wasPlaying, player.timeControlStatus == .paused { player.play() }
            return
        }
        isReplaced = false
        replace(with: full, plays: player.currentItem?.status != .failed && (player.rate != 0 || awaited != nil))
    }

    private func replace(with url: String, plays: Bool) {
        let item = PlayerItem(url: url, startingAt: player.currentTime)
        if habits.waits { player.pause() }
        player.replaceCurrentItem(with: item)
        awaited = habits.waits && plays ? item : nil
        if plays, !habits.waits { player.play() }
    }
}
