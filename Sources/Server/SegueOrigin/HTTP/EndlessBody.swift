/// A body without a known length, which lasts until the client disconnects or the source ends.
package struct EndlessBody: Sendable {
    /// Starts a reader; called once for each client.
    package let open: @Sendable () -> any EndlessReading

    package init(open: @escaping @Sendable () -> any EndlessReading) { self.open = open }
}

/// One client's reader of an endless body.
package protocol EndlessReading: Sendable {
    /// Returns the next bytes, or nil at the end of the body. Waits until there are some.
    mutating func next() async -> [UInt8]?

    /// Ends the reading; called when the client disconnects.
    func close()
}
