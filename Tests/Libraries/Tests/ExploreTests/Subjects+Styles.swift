import SeguePlayer

extension Subject {
    private typealias Style = @MainActor @Sendable (World, [String], Manner) throws -> any Controller

    private static let styles: [(name: String, make: Style)] = [
        ("a state machine", { ReducerApp($0, $1, $2) }), ("a queue", { QueueApp($0, $1, $2) }),
        ("polling", { PollingApp($0, $1, $2) }), ("callbacks", { TimerApp($0, $1, $2) }),
        ("rain in a second player", { try AmbientApp($0, $1, $2) }),
    ]

    private static let station = ["http://server/radio/sound.m3u8"]

    /// An app of a style.
    private static func app(of style: String, as purpose: String, breaks rules: Set<String> = [], _ manner: Manner)
        -> Subject
    {
        Subject(name: "\(style): \(purpose)", source: "", rules: rules, platform: "ios-15") { world in
            guard let make = styles.first(where: { $0.name == style })?.make else { throw CancellationError() }
            let controller = try make(world, manner.isRadio ? station : songs, manner)
            controller.offer(to: world.user)
            return controller
        }
    }

    /// The correct apps in other styles.
    static let rightByStyle = lists + stations + [app(of: "rain in a second player", as: "a list", Manner())]

    private static let lists: [Subject] = styles.dropLast().flatMap { style in
        [
            app(of: style.name, as: "a list", Manner()),
            app(of: style.name, as: "single titles", Manner(advances: false)),
            app(of: style.name, as: "repeats", Manner(repeats: true)),
        ]
    }

    private static let stations: [Subject] = ["a state machine", "polling", "callbacks"].map { style in
        app(of: style, as: "a station", Manner(isRadio: true))
    }

    /// The flaws that the apps of a style can have, and the rules that each breaks.
    private static let flaws: [(style: String, purpose: String, flaw: Manner.Flaw, rules: Set<String>)] = [
        ("a state machine", "its backoff is never reset", .backoffNeverReset, ["backoff"]),
        ("a state machine", "loads a title twice", .loadsTwice, ["twice"]),
        ("a state machine", "counts an end twice", .countsTwice, ["order"]),
        ("a state machine", "resumes what was paused", .resumesWhatWasPaused, ["unwished"]),
        ("a state machine", "loses an early seek", .losesEarlySeek, ["lost-seek"]),
        ("a state machine", "plays after a seek", .playsAfterSeek, ["unwished"]),
        ("a state machine", "forgets the rate", .forgetsRate, ["rate"]),
        ("a state machine", "hangs", .hangs, ["hang"]),
        ("a queue", "loads a title twice", .loadsTwice, ["order", "twice"]),
        ("a queue", "counts an end twice", .countsTwice, ["order"]),
        ("a queue", "resumes what was paused", .resumesWhatWasPaused, ["unwished"]),
        ("a queue", "its backoff is never reset", .backoffNeverReset, ["backoff"]),
        ("polling", "its backoff is never reset", .backoffNeverReset, ["backoff"]),
        ("polling", "loads a title twice", .loadsTwice, ["twice"]),
        ("polling", "counts an end twice", .countsTwice, ["order"]),
        ("polling", "resumes what was paused", .resumesWhatWasPaused, ["unwished"]),
        ("polling", "loses an early seek", .losesEarlySeek, ["lost-seek"]),
        ("callbacks", "its backoff is never reset", .backoffNeverReset, ["backoff"]),
        ("callbacks", "loads a title twice", .loadsTwice, ["twice"]),
        ("callbacks", "counts an end twice", .countsTwice, ["order"]),
        ("callbacks", "resumes what was paused", .resumesWhatWasPaused, ["unwished"]),
        ("callbacks", "plays after a seek", .playsAfterSeek, ["unwished"]),
        ("callbacks", "hangs", .hangs, ["hang"]),
        ("rain in a second player", "goes on after a stop", .loopsAfterStop, ["unwished"]),
        ("rain in a second player", "goes on after a pause in a call", .loopsAfterCall, ["unwished"]),
    ]

    /// The apps with one bug each in other styles.
    static let plantedByStyle = flaws.map { flaw in
        // Only a station is retried for long.
        let manner = Manner(isRadio: flaw.flaw == .backoffNeverReset && flaw.style != "a queue", flaw: flaw.flaw)
        return app(of: flaw.style, as: flaw.purpose, breaks: flaw.rules, manner)
    }
}
