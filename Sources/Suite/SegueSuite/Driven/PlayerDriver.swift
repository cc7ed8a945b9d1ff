package import Foundation
package import SegueBase
package import SegueEvents
package import SegueNetworkModel
internal import SeguePlayerModel

/// A connection to a player's driver.
package protocol PlayerDriver: AnyObject {
    /// Begins to deliver the driver's lines, without line feeds, on any thread.
    ///
    /// At the end it delivers nil and the reason.
    func listen(_ take: @escaping @Sendable (Data?, String) -> Void)

    /// Sends a line that includes its line feed.
    func send(_ line: Data)

    /// Asks the driver to quit with ``quitLine``, and ends it after a timeout.
    func end()
}

extension PlayerDriver {
    /// The line that asks a driver to quit.
    package static var quitLine: Data { DriverCommand(name: "quit").line }
}

/// The environment of a case on a real player.
package struct PlayerStage {
    /// The driver, just started.
    let driver: any PlayerDriver
    /// The items, with URLs that lead through the link.
    let items: [ItemAddress]
    /// Changes the network, and returns the name of a new one.
    let change: (Scenario.NetworkChange) throws -> String?
}

/// A network that real players use to reach a server.
package protocol RealNetwork: AnyObject {
    /// The prefix of URLs through the network, such as `http://127.0.0.1:41234`.
    var base: String { get }

    /// Changes to another network.
    func become(_ network: LinkProfile) throws

    /// Sets the faults of requests.
    func meet(_ faults: [RequestFault]) throws

    /// Ends the network and its server.
    func end()
}

/// The content of a recording of a case.
package struct RecordedPlay: Sendable {
    /// A summary in one line.
    package var summary: Message
    /// The statements of the player that the recording contradicts, with their times in seconds of the log.
    package var unobserved: [(at: Double, words: Message)]

    package init(summary: Message, unobserved: [(at: Double, words: Message)]) {
        (self.summary, self.unobserved) = (summary, unobserved)
    }
}

/// A factory of servers, networks, and drivers for real players.
package protocol RealPlaying {
    /// Serves a file behind a network.
    ///
    /// `tell` receives the network's events, on any thread.
    ///
    /// - Throws: An error with a one-line description.
    func serve(
        _ file: String,
        over network: LinkProfile,
        seed: UInt64,
        tell: @escaping @Sendable (EventKind) -> Void
    ) throws -> any RealNetwork

    /// Puts a network before a server.
    ///
    /// `base` is the prefix of the server's URLs, such as `http://cdn.example:8080`. `tell` receives the network's
    /// events, on any thread.
    ///
    /// - Throws: An error with a one-line description.
    func reach(
        _ base: String,
        over network: LinkProfile,
        seed: UInt64,
        tell: @escaping @Sendable (EventKind) -> Void
    ) throws -> any RealNetwork

    /// Starts a driver, or connects to one.
    ///
    /// `command` is a shell command, or a WebSocket address. `waiting` is called repeatedly while another case uses the
    /// player.
    ///
    /// - Throws: An error with a one-line description.
    func start(_ command: String, waiting: () -> Void) throws -> any PlayerDriver

    /// Compares a player's statements with a recording of its output.
    ///
    /// `file` is the name of the played file in reports.
    ///
    /// - Throws: An error with a one-line description.
    func observe(_ recording: String, of file: String, against log: EventLog) throws -> RecordedPlay
}
