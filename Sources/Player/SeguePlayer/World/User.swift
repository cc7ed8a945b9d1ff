internal import SeguePlayerModel
internal import SegueSearch

/// The user of an app in a world, whose actions are the basis for ``World/broken``.
///
/// A test either states each action together with the app's reaction, `world.user.does(.pause) { radio.pause() }`, or
/// declares the controls of the app once, `world.user.can(.pause) { radio.pause() }`, and then uses them:
/// `world.user.press(.pause)`. ``World/broken`` lists the violations that follow.
@MainActor public final class User {
    /// An action of a user.
    public enum Action: Sendable, Equatable {
        /// Plays the title.
        case play
        /// Pauses the title.
        case pause
        /// Ends playback. Playback may start anywhere afterward.
        case stop
        /// Seeks in the current title.
        case seek(to: Duration)
        /// Sets a rate, above 0.
        case rate(Double)
        /// Requests another title.
        case otherTitle
        /// Requests the next title.
        case next
        /// Requests the previous title, or the beginning of the current one.
        case previous
        /// Requests one of ``User/titles``, from 0.
        case choose(Int)
        /// Another action, with a name. Afterward, it is unknown whether the user expects to hear something.
        case other(String)
    }

    /// The titles in the app's order, each with all of its URLs.
    ///
    /// If they are known, audio is compared with the user's choice and the titles that follow it.
    public var titles: [[String]] = []

    /// True if the next title must play when one has ended, false if playback ends with each title.
    ///
    /// If it is nil, playback may end with a title until the app has gone on to the next one by itself.
    public var advancesAutomatically: Bool?

    private let engine: PlayerEngine
    private(set) var actions: [UserAction] = []
    let expectations: Expectations
    var buttons = Buttons()

    init(_ engine: PlayerEngine, _ expectations: Expectations) {
        (self.engine, self.expectations) = (engine, expectations)
    }

    /// Performs an action of the user, with the app's reaction.
    ///
    /// - Returns: The result of the closure.
    /// - Throws: The errors of the closure.
    @discardableResult
    public func does<Value>(_ action: Action, _ app: () throws -> Value) rethrows -> Value {
        actions.append(action.model)
        engine.note(number: actions.count, action.words)
        defer { expectations.look() }
        return try app()
    }

    /// True if the user has acted, or the app has controls for it.
    var isUsed: Bool { !actions.isEmpty || buttons.hasAny }

    /// True if the player is not paused, so that a toggle button pauses it.
    var seesItPlay: Bool { engine.session.player.timeControl != .paused }

    // MARK: Expectations

    /// Declares an expectation of the app, such as silence after its sleep timer has fired.
    ///
    /// It is checked twice a second, and at each action of the user. If it is false for too long, ``World/broken``
    /// contains a violation with its name.
    ///
    /// - Parameters:
    ///   - name: The name of the rule.
    ///   - limit: The maximum time for which it may be false, from zero.
    ///   - holds: Returns whether it is true now.
    public func expects(_ name: String, within limit: Duration, _ holds: @escaping @MainActor () -> Bool) {
        expectations.add(name, within: limit, holds)
    }
}

extension User.Action {
    fileprivate var model: UserAction {
        switch self {
        case .play: .play
        case .pause: .pause
        case .stop: .stop
        case .seek(let target): .seek(to: target)
        case .rate(let rate): .rate(rate)
        case .otherTitle: .otherTitle
        case .next: .next
        case .previous: .previous
        case .choose(let index): .choose(index)
        case .other: .other
        }
    }

    fileprivate var words: String {
        switch self {
        case .play: "play"
        case .pause: "pause"
        case .stop: "stop"
        case .seek(let target): "seek to \(target)"
        case .rate(let rate): "rate \(rate)"
        case .otherTitle: "other title"
        case .next: "next"
        case .previous: "previous"
        case .choose(let index): "choose \(index)"
        case .other(let name): name
        }
    }
}
