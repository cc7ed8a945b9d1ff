/// Something that happens in a trial.
package enum Act: Sendable, Hashable {
    /// A button that many apps have.
    package enum Button: String, Sendable, CaseIterable {
        case play, pause, toggle, stop, next, previous
    }

    /// Where sound comes out.
    package enum Route: String, Sendable, CaseIterable {
        case speaker, headphones, airplay
    }

    /// What goes wrong with requests.
    package enum Trouble: Sendable, Hashable {
        case status(Int)
        case reset(after: Int)
        case stall(seconds: Int)
        case truncation(after: Int)
    }

    /// Which requests it goes wrong with.
    package enum Kind: String, Sendable, CaseIterable {
        case playlist, segment, any
    }

    case press(Button)
    /// A button of the app's own.
    case named(String)
    /// To a place, in seconds.
    case seek(Int)
    case rate(Double)
    /// A title, from 0.
    case choose(Int)
    case goHome, lock, comeBack, interrupt
    case endInterruption(shouldResume: Bool)
    case route(Route)
    case resetServices, warnOfMemory
    case lowPower(Bool)
    /// The network changes.
    case network(Conditions)
    /// Nothing gets through any more, until it does again.
    case offline, online
    /// So many requests go wrong from now on; nil for all.
    case fault(Trouble, Kind, count: Int?)
    /// Nothing goes wrong any more.
    case mend

    /// Whether the user does it with the app.
    package var isOfUser: Bool {
        switch self {
        case .press, .named, .seek, .rate, .choose: true
        case .goHome, .lock, .comeBack, .interrupt, .endInterruption, .route, .resetServices, .warnOfMemory, .lowPower,
            .network, .offline, .online, .fault, .mend:
            false
        }
    }

    /// Whether it happens to the network or to requests.
    var isOfNetwork: Bool {
        switch self {
        case .network, .offline, .online, .fault, .mend: true
        case .press, .named, .seek, .rate, .choose, .goHome, .lock, .comeBack, .interrupt, .endInterruption, .route,
            .resetServices, .warnOfMemory, .lowPower:
            false
        }
    }

    /// What says less and may do the same, the plainest first.
    var plainer: [Act] {
        switch self {
        case .press(.toggle): [.press(.play), .press(.pause)]
        case .press(.stop): [.press(.pause)]
        case .seek(let place): [10, 60, place / 10 * 10].filter { $0 < place }.map(Act.seek)
        case .choose(let index) where index > 0: [.choose(0)]
        case .lock: [.goHome]
        case .route(.airplay): [.route(.headphones)]
        case .network: [.offline, .online]
        case .fault(let trouble, let kind, let count):
            (trouble == .status(404) ? [] : [.fault(.status(404), kind, count: count)])
                + (count == nil ? [] : [.fault(trouble, kind, count: nil)])
                + (kind == .any ? [] : [.fault(trouble, .any, count: count)])
        case .press, .named, .rate, .choose, .goHome, .comeBack, .interrupt, .endInterruption, .route, .resetServices,
            .warnOfMemory, .lowPower, .offline, .online, .mend:
            []
        }
    }
}
