/// The limits of one address.
package struct AddressAllowance: Sendable, Equatable {
    /// The maximum number of open connections.
    package var connections: Int
    /// The maximum number of requests in flight, up to the last byte of the response.
    package var requests: Int
    /// The maximum number of requests per second on average; twice that for new connections.
    package var rate: Int
    /// The number of requests allowed above the average.
    package var burst: Int
    /// The maximum number of encodings and other long work, running or queued.
    package var encodings: Int

    /// Creates limits; the defaults exceed the needs of a household of players and browsers.
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
