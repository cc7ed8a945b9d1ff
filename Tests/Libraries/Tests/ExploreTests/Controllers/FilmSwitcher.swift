import SeguePlayer

/// A film whose sound goes on in the background, once that is ready; it asks to run on until it is heard.
final class FilmSwitcher: PhoneDeck {
    private let sound: String

    init(_ world: World, film: String, sound: String) {
        self.sound = sound
        super.init(world, [film])
        // Of ten minutes, in its days.
        hold.longest = .seconds(580)
    }

    override var url: String { isAway ? sound : urls[0] }

    override func load(from place: Duration = .zero) {
        // Kept over the change, the rate would be a wish to play before anything is known of the item.
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

    /// What is not known yet may turn out to be a film when none may begin any more.
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
        user.titles = [[urls[0], sound]]
    }
}
