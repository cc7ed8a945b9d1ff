/// A client's connection through the proxy, and the server's for it.
protocol ProxyConnection: AnyObject {
    /// What is to be told of it.
    var record: ConnectionRecord { get }

    /// Does what can be done: sockets became ready, or the link moved.
    ///
    /// - Returns: Whether there is more to do at once.
    func work() -> Bool

    /// What the system says of one of its sockets.
    func note(_ event: Poller.Event, of end: ProxyEnd)

    /// The server did not answer in time.
    func giveUpConnecting()

    /// Breaks both ends off, at once.
    func kill(_ reason: String)
}

/// An end of a proxied connection.
enum ProxyEnd: UInt64 {
    case client
    case server
}
