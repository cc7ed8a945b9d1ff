import SeguePlayer

/// A list with rain behind it: a second player, which repeats one title while the first one is wanted.
final class AmbientApp: Playlist {
    private let rain: World
    private let manner: Manner
    private var loop: Observation?
    private var isStopping = false

    init(_ world: World, _ urls: [String], _ manner: Manner = Manner()) throws {
        rain = try World(platform: "ios-15", server: .titles(duration: .seconds(30)))
        self.manner = manner
        super.init(world, urls)
        rain.player.actionAtItemEnd = .pause
        loop = rain.player.observe { [weak self] news in
            if case .itemDidPlayToEndTime = news { self?.letRain(again: true) }
        }
    }

    private var isRaining: Bool { isWanted && !isInterrupted }

    private func letRain(again: Bool = false) {
        guard isRaining || again && manner.flaw != nil else { return }
        rain.player.replaceCurrentItem(with: PlayerItem(url: "http://server/rain/sound.m3u8"))
        rain.player.play()
    }

    private func followRain() {
        guard isRaining else { return rain.player.pause() }
        let item = rain.player.currentItem
        if item == nil || item?.status == .failed { letRain() } else { rain.player.play() }
    }

    override func play() {
        super.play()
        followRain()
    }

    override func choose(_ index: Int) {
        super.choose(index)
        followRain()
    }

    override func pause() {
        super.pause()
        let isForgotten = manner.has(.loopsAfterStop) && isStopping || manner.has(.loopsAfterCall) && isInterrupted
        if !isForgotten { followRain() }
    }

    override func stop() {
        isStopping = true
        super.stop()
        isStopping = false
    }

    override func giveUp() {
        super.giveUp()
        followRain()
    }

    override func ended() {
        super.ended()
        followRain()
    }

    override func interruptionBegan() {
        super.interruptionBegan()
        if !manner.has(.loopsAfterCall) { followRain() }
    }
}
