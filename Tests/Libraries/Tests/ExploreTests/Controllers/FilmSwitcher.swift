import SeguePlayer

/// A film whose audio continues in the background when it is ready, with a background task until then.
final class FilmSwitcher: PhoneDeck {
    private let audio: String

    init(_ world: World, film: String, audio: String) {
        self.audio = audio
        super.init(world, [film])
        // Ten minutes, at its time.
        hold.longest = .seconds(580)
    }

    override var url: String { isAway ? audio : urls[0] }

    override func load(from place: Duration = .zero) {
        // If the rate stayed, playback would start before anything is known of the item.
        if isAway {
            player.pause()
            status = .paused
        }
        super.load(from: place)
    }

    override func resume() {
        guard isAway, mayPlay else { return super.resume() }
        guard item?.url == url else { return load(from: place) }
        if item?.status == .readyToPlay { super.resume() }
    }

    override func ready() {
        super.ready()
        resume()
    }

    /// An item with unknown tracks may turn out to be a film when none may start any more.
    override func leaves() {
        isAway = true
        if item?.status == .unknown { load(from: place) }
    }

    override func cameBack() {
        guard let item, item.url != url, !hasEnded else { return super.cameBack() }
        load(from: place)
        changed()
    }

    override func offer(to user: User) {
        super.offer(to: user)
        user.titles = [[urls[0], audio]]
    }
}
