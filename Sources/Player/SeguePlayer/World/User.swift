internal import SeguePlayerModel
internal import SegueSearch

/// The user of an app in a world, whose wishes are held against what is heard.
///
/// A test says what the user does and has the app do it: `world.user.does(.pause) { radio.pause() }`. Or it says once what
/// the app has buttons for, `world.user.can(.pause) { radio.pause() }`, and presses them: `world.user.press(.pause)`. What
/// comes of it, ``World/broken`` tells.
@MainActor public final class User {
    /// Something that a user does.
    public enum Wish: Sendable, Equatable {
        /// Plays.
        case play
        /// Pauses.
        case pause
        /// Ends what plays; played again, it may begin anywhere.
        case stop
        /// Goes to a place of the title that plays.
        case seek(to: Duration)
        /// Sets a rate, above 0.
        case rate(Double)
        /// Asks for another title.
        case otherTitle
        /// Asks for the title behind the one that plays.
        case next
        /// Asks for the title before, or for the beginning of the one that plays.
        case previous
        /// Asks for one of ``User/titles``, from 0.
        case choose(Int)
        /// Anything else, by a name; from then on nobody knows whether the user wishes to hear something.
        case other(String)
    }

    /// The titles in the app's order, each with all addresses under which it may be heard; what the user chose, and what
    /// follows, is held against what is heard where they are known.
    public var titles: [[String]] = []

    private let engine: PlayerEngine
    private(set) var wishes: [SegueSearch.Wish] = []
    let expectations: Expectations
    var buttons = Buttons()

    init(_ engine: PlayerEngine, _ expectations: Expectations) {
        (self.engine, self.expectations) = (engine, expectations)
    }

    /// The user does something, and the app what it does about that.
    ///
    /// - Parameters:
    ///   - wish: What.
    ///   - app: What the app does then.
    /// - Returns: What that returns.
    /// - Throws: What that throws.
    @discardableResult
    public func does<Value>(_ wish: Wish, _ app: () throws -> Value) rethrows -> Value {
        wishes.append(wish.model)
        engine.note(number: wishes.count, wish.words)
        defer { expectations.look() }
        return try app()
    }

    /// Whether what plays would play on, so that a button for both means to pause it.
    var seesItPlay: Bool { engine.session.player.timeControl != .paused }

    // MARK: What the app promises

    /// The app promises something, such as that it is silent once its sleep timer has gone off.
    ///
    /// It is looked at twice a second, and when the user does something. Where it does not hold for too long, ``World/broken``
    /// has a rule of that name.
    ///
    /// - Parameters:
    ///   - name: What the rule is called.
    ///   - limit: How long it may not hold, from zero.
    ///   - holds: Whether it holds now.
    public func expects(_ name: String, within limit: Duration, _ holds: @escaping @MainActor () -> Bool) {
        expectations.add(name, within: limit, holds)
    }
}

extension User.Wish {
    fileprivate var model: SegueSearch.Wish {
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
