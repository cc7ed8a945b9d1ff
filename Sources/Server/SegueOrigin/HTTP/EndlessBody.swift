/// A body that goes on until the client has gone, or there is no more: its length is not known.
package struct EndlessBody: Sendable {
    /// Begins to read it, once for each client.
    package let open: @Sendable () -> any EndlessReading

    /// A body that is read anew by each client.
    package init(open: @escaping @Sendable () -> any EndlessReading) { self.open = open }
}

/// One client's reading of a body without an end.
package protocol EndlessReading: Sendable {
    /// The bytes that follow; waits until there are some.
    ///
    /// - Returns: The bytes; nil when there are no more.
    mutating func next() async -> [UInt8]?

    /// The client has gone.
    func close()
}
