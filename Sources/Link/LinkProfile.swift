package import Harness

/// A network as a data file describes it: what a link is made from.
package struct LinkProfile: Sendable, Equatable {
    /// The name by which it is asked for.
    package var name: String

    /// What it stands for, in a sentence; empty when it does not say.
    package var about: String

    /// Where its numbers come from.
    package var source: String

    /// Towards the client.
    package var down: Direction

    /// Towards the server.
    package var up: Direction

    /// What each direction holds at most before it drops.
    package var queue: Queue

    /// What looking a host's name up costs, once for each host.
    package var dns: Duration

    /// How many segments a server sends before the first acknowledgement (RFC 6928 says 10).
    package var initialWindow: Int

    /// When nothing gets through, in either direction.
    package var outages: [Outage]

    /// A network.
    package init(
        name: String,
        about: String = "",
        source: String = "",
        down: Direction,
        up: Direction,
        queue: Queue = .packets(1000),
        dns: Duration = .zero,
        initialWindow: Int = 10,
        outages: [Outage] = []
    ) {
        self.name = name
        self.about = about
        self.source = source
        self.down = down
        self.up = up
        self.queue = queue
        self.dns = dns
        self.initialWindow = initialWindow
        self.outages = outages
    }

    /// One direction of a network.
    package struct Direction: Sendable, Equatable {
        /// Bits a second, headers included; above zero.
        package var bitsPerSecond: Int64

        /// The one-way delay; a range is drawn from once for each connection, evenly.
        package var delay: ClosedRange<Duration>

        /// The share of packets that is lost, each on its own; from 0 to below 1.
        package var loss: Double

        /// A direction with one delay.
        package init(bitsPerSecond: Int64, delay: Duration, loss: Double = 0) {
            self.init(bitsPerSecond: bitsPerSecond, delay: delay...delay, loss: loss)
        }

        /// A direction with a range of delays.
        package init(bitsPerSecond: Int64, delay: ClosedRange<Duration>, loss: Double = 0) {
            self.bitsPerSecond = bitsPerSecond
            self.delay = delay
            self.loss = loss
        }
    }

    /// What a direction holds at most.
    package enum Queue: Sendable, Equatable {
        /// So many packets.
        case packets(Int)
        /// So many bytes, headers included.
        case bytes(Int)
    }

    /// A time in which nothing gets through; what is in the queue waits.
    package struct Outage: Sendable, Equatable {
        /// When it begins, since the run began.
        package var start: Duration

        /// How long it is.
        package var length: Duration

        /// After how long, longer than ``length``, it begins again; nil for never.
        package var period: Duration?

        /// An outage.
        package init(start: Duration, length: Duration, period: Duration? = nil) {
            self.start = start
            self.length = length
            self.period = period
        }
    }
}

extension LinkProfile {
    /// The network that a name or a path means.
    ///
    /// - Parameters:
    ///   - name: The name of a network in the data folder, or the path of a file.
    ///   - folder: The data folder.
    /// - Returns: The network.
    /// - Throws: `HarnessError` with the file, line and key, or the nearest name that there is.
    package static func named(_ name: String, in folder: HarnessFolder) throws(HarnessError) -> LinkProfile {
        try LinkProfile(contentsOfFile: folder.file(name, of: .networks))
    }

    /// Reads a network from a YAML file.
    ///
    /// - Throws: `HarnessError` with the file, line and key.
    package init(contentsOfFile path: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(ofFileAt: path))
    }

    /// Reads a network from YAML.
    ///
    /// - Parameters:
    ///   - yaml: The text.
    ///   - file: The name for error messages.
    /// - Throws: `HarnessError` with the file, line and key.
    package init(yaml: String, file: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(of: yaml, file: file))
    }
}
