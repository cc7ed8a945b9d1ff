internal import Wishes

/// The user of an app in a world, whose wishes are held against what is heard.
///
/// A test says what the user does and has the app do it: `world.user.does(.pause) { radio.pause() }`. What comes of it,
/// ``World/broken`` tells.
@MainActor public final class User {
    /// Something that a user does.
    public enum Wish: Sendable, Equatable {
        case play
        case pause
        /// Goes to a place of the title that plays.
        case seek(to: Duration)
        /// Sets a rate, above 0.
        case rate(Double)
        /// Asks for another title.
        case otherTitle
        /// Anything else, by a name; from then on nobody knows whether the user wishes to hear something.
        case other(String)
    }

    private let engine: PlayerEngine
    private(set) var wishes: [Wishes.Wish] = []

    init(_ engine: PlayerEngine) { self.engine = engine }

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
        return try app()
    }
}

extension User.Wish {
    fileprivate var model: Wishes.Wish {
        switch self {
        case .play: .play
        case .pause: .pause
        case .seek(let target): .seek(to: target)
        case .rate(let rate): .rate(rate)
        case .otherTitle: .otherTitle
        case .other: .other
        }
    }

    fileprivate var words: String {
        switch self {
        case .play: "play"
        case .pause: "pause"
        case .seek(let target): "seek to \(target)"
        case .rate(let rate): "rate \(rate)"
        case .otherTitle: "other title"
        case .other(let name): name
        }
    }
}
