import SeguePlayer

extension Subject {
    /// Three audio titles, which continue in the background.
    static let songs = ["one", "two", "three"].map { "http://server/\($0)/sound.m3u8" }

    /// The correct apps.
    static let right: [Subject] = [
        app("a playlist") { Playlist($0, songs) },
        app("a radio that reconnects") { Radio($0, ["http://server/radio/sound.m3u8"]) },
        app("a film that goes on as sound", on: "ios-4.3") {
            FilmSwitcher($0, film: "http://server/film.m3u8", audio: "http://server/film/sound.m3u8")
        },
        app("a playlist without gaps") { GaplessPlaylist($0, songs) },
        app("audiobooks with their places") { Audiobook($0, songs) },
        app("a sleep timer") { SleepTimer($0, songs) },
        app("a list played by one task") { Listener($0, songs) },
        app("a slider") { Slider($0, songs) },
        app("an app that gives way to calls") { GivesWay($0, songs) },
        app("an app that loads before it goes over") { Preloader($0, songs) },
    ]

    /// An app with a controller, whose buttons the user may use.
    static func app(
        _ name: String,
        from source: String = "",
        breaks rules: Set<String> = [],
        on platform: String = "ios-15",
        _ make: @escaping @MainActor @Sendable (World) -> any Controller
    ) -> Subject {
        Subject(name: name, source: source, rules: rules, platform: platform) { world in
            let controller = make(world)
            controller.offer(to: world.user)
            return controller
        }
    }
}
