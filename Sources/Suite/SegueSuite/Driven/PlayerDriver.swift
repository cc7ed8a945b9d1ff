package import Foundation
package import SegueEvents
package import SegueNetworkModel
internal import SeguePlayerModel

/// A driver, at the other end of some line.
package protocol PlayerDriver: AnyObject {
    /// Begins to hand on what the driver writes, a line at a time and without its end, from whatever thread; nil when
    /// nothing more will come, with why in words.
    func listen(_ take: @escaping @Sendable (Data?, String) -> Void)

    /// Sends a line, with its end.
    func send(_ line: Data)

    /// Lets it end by itself for a while, and ends it where it does not.
    func end()
}

/// All that a case needs on a real player.
package struct PlayerStage {
    /// The player's driver, which has just been started.
    let driver: any PlayerDriver
    /// What may be opened, by URLs that lead through the link.
    let items: [ItemAddress]
    /// Changes the network; gives the name of what it has become, where it is another one.
    let change: (Scenario.NetworkChange) throws -> String?
}

/// A network with a server behind it, which real players reach.
package protocol RealNetwork: AnyObject {
    /// What URLs through it begin with, such as `http://127.0.0.1:41234`.
    var base: String { get }

    /// It becomes another one.
    func become(_ network: LinkProfile) throws

    /// Requests meet these faults from now on.
    func meet(_ faults: [RequestFault]) throws

    /// Everything that was begun ends.
    func end()
}

/// What a recording shows of a case.
package struct RecordedPlay: Sendable {
    /// What was seen and heard, in a line.
    package var summary: String
    /// What the player said of itself and nobody saw or heard: when it said so, in seconds of the log, and what.
    package var unobserved: [(at: Double, words: String)]

    /// What a recording shows.
    package init(summary: String, unobserved: [(at: Double, words: String)]) {
        (self.summary, self.unobserved) = (summary, unobserved)
    }
}

/// Whoever can begin what real players need: servers, networks and drivers.
package protocol RealPlaying {
    /// Serves a file behind a network.
    ///
    /// - Parameters:
    ///   - seed: The seed of everything random on it.
    ///   - tell: Takes what happens on it, from whatever thread.
    /// - Throws: An error that says what is wrong, in one line.
    func serve(
        _ file: String,
        over network: LinkProfile,
        seed: UInt64,
        tell: @escaping @Sendable (EventKind) -> Void
    ) throws -> any RealNetwork

    /// Reaches a server over a network.
    ///
    /// - Parameters:
    ///   - base: What the server's URLs begin with, such as `http://cdn.example:8080`.
    ///   - seed: The seed of everything random on it.
    ///   - tell: Takes what happens on it, from whatever thread.
    /// - Throws: An error that says what is wrong, in one line.
    func reach(
        _ base: String,
        over network: LinkProfile,
        seed: UInt64,
        tell: @escaping @Sendable (EventKind) -> Void
    ) throws -> any RealNetwork

    /// Starts a driver, or reaches one.
    ///
    /// - Parameters:
    ///   - command: What the shell starts, or where it listens.
    ///   - waiting: Called now and then while the player is another case's.
    /// - Throws: An error that says what is wrong, in one line.
    func start(_ command: String, waiting: () -> Void) throws -> any PlayerDriver

    /// Holds what a player said of itself against a recording of what was seen and heard.
    ///
    /// - Parameters:
    ///   - file: The file that was played, as reports name it.
    /// - Throws: An error that says what is wrong, in one line.
    func observe(_ recording: String, of file: String, against log: EventLog) throws -> RecordedPlay
}
