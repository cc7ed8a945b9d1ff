/// How much one address may.
package struct AddressAllowance: Sendable, Equatable {
    /// How many connections it may have open.
    package var connections: Int
    /// How many of its requests may be under way: not yet answered to the last byte.
    package var requests: Int
    /// How many requests it may make in a second, on average, and half as many as it may make new connections.
    package var rate: Int
    /// How many at once, beyond that.
    package var burst: Int
    /// How many of its encodings and other long work may be under way or wait for their turn.
    package var encodings: Int

    /// An allowance; what is not said is as much as a household of players and browsers ever needs.
    package init(
        connections: Int = 1024,
        requests: Int = 1024,
        rate: Int = 1000,
        burst: Int = 1000,
        encodings: Int = 32
    ) {
        (self.connections, self.requests) = (max(1, connections), max(1, requests))
        (self.rate, self.burst, self.encodings) = (max(1, rate), max(1, burst), max(1, encodings))
    }
}
