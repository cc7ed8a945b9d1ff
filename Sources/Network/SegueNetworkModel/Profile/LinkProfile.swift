package import SegueData

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

    /// What a radio does when nothing crosses it, the shortest idle time first; empty where there is none.
    package var radio: [RadioState]

    /// When nothing gets through, in either direction; what is in the queue waits.
    package var outages: [Spell]

    /// When the client gets another address: nothing gets through, and all connections from before are dead.
    package var handovers: [Spell]

    /// When a captive portal answers every HTTP request in the server's place.
    package var portals: [Spell]

    /// What else changes in time; where two hold at once, the later in the list counts.
    package var changes: [Change]

    /// What goes wrong with HTTP requests; the first that is due counts.
    package var faults: [RequestFault]

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
        radio: [RadioState] = [],
        outages: [Spell] = [],
        handovers: [Spell] = [],
        portals: [Spell] = [],
        changes: [Change] = [],
        faults: [RequestFault] = []
    ) {
        self.name = name
        self.about = about
        self.source = source
        self.down = down
        self.up = up
        self.queue = queue
        self.dns = dns
        self.initialWindow = initialWindow
        self.radio = radio
        self.outages = outages
        self.handovers = handovers
        self.portals = portals
        self.changes = changes
        self.faults = faults
    }

    /// What a direction holds at most.
    package enum Queue: Sendable, Equatable {
        /// So many packets.
        case packets(Int)
        /// So many bytes, headers included.
        case bytes(Int)
    }

    /// A state into which a radio falls when nothing has crossed it for a while.
    package struct RadioState: Sendable, Equatable {
        /// After how long without a packet in either direction.
        package var idle: Duration

        /// How long the next packet waits for the radio to be back.
        package var promotion: Duration

        /// A state.
        package init(idle: Duration, promotion: Duration) {
            self.idle = idle
            self.promotion = promotion
        }
    }
}

extension LinkProfile {
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
    ///   - file: The name for error messages; traces are looked for beside it.
    /// - Throws: `HarnessError` with the file, line and key.
    package init(yaml: String, file: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(of: yaml, file: file))
    }
}
