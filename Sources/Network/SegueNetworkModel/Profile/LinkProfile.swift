package import SegueData

/// A network as described by a data file.
package struct LinkProfile: Sendable, Equatable {
    package var name: String

    /// A description in one sentence; may be empty.
    package var about = ""

    /// The source of the parameters.
    package var source = ""

    /// The direction to the client.
    package var down: Direction

    /// The direction to the server.
    package var up: Direction

    /// The capacity of each direction's queue.
    package var queue: Queue

    /// The cost of a name resolution, once per host.
    package var dns = Duration.zero

    /// The number of segments that a server sends before the first acknowledgement (10 in RFC 6928).
    package var initialWindow = 10

    /// The sleep states of a radio, in order of idle time; empty without a radio.
    package var radio: [RadioState] = []

    /// The outages, during which nothing leaves the queues in either direction.
    package var outages: [Spell] = []

    /// The changes of the client's address, during which nothing passes and all connections end.
    package var handovers: [Spell] = []

    /// The times at which a captive portal answers every HTTP request.
    package var portals: [Spell] = []

    /// Other changes over time; of two concurrent ones, the later in the list applies.
    package var changes: [Change] = []

    /// The faults of HTTP requests; the first one that is due applies.
    package var faults: [RequestFault] = []

    /// Creates a steady network without faults; its other properties can be set afterwards.
    package init(name: String, down: Direction, up: Direction, queue: Queue = .packets(1000)) {
        (self.name, self.down, self.up, self.queue) = (name, down, up, queue)
    }

    /// The capacity of a queue.
    package enum Queue: Sendable, Equatable {
        case packets(Int)
        /// A number of bytes, with headers.
        case bytes(Int)
    }

    /// A sleep state of a radio.
    package struct RadioState: Sendable, Equatable {
        /// The idle time in both directions after which the radio enters the state.
        package var idle: Duration

        /// The delay of the next packet until the radio is awake.
        package var promotion: Duration

        package init(idle: Duration, promotion: Duration) {
            self.idle = idle
            self.promotion = promotion
        }
    }
}

extension LinkProfile {
    /// Reads a network from a YAML file.
    ///
    /// - Throws: `HarnessError` with the file, the line, and the key.
    package init(contentsOfFile path: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(ofFileAt: path))
    }

    /// Reads a network from YAML.
    ///
    /// - Parameters:
    ///   - file: The file name in errors; traces are searched beside it.
    /// - Throws: `HarnessError` with the file, the line, and the key.
    package init(yaml: String, file: String) throws(HarnessError) {
        try self.init(HarnessFile.fields(of: yaml, file: file))
    }
}
