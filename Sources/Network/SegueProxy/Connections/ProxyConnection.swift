/// What the proxy's thread works for when its sockets become ready.
protocol PolledWork: AnyObject {
    /// What the system says of one of its sockets.
    func note(_ event: Poller.Event, of end: ProxyEnd)

    /// Does what can be done: sockets became ready, or the link moved.
    ///
    /// - Returns: Whether there is more to do at once.
    func work() -> Bool

    /// Breaks all off, at once.
    func kill(_ reason: String)
}

/// A client's connection through the proxy, and the server's for it.
protocol ProxyConnection: PolledWork {
    /// What is to be told of it.
    var record: ConnectionRecord { get }

    /// The client's end.
    var clientSocket: ProxiedSocket { get set }

    /// The server's end.
    var server: ServerSocket { get set }

    /// The server could not be connected to.
    func serverFailed()

    /// It is over, its sockets closed.
    func end(_ reason: String)
}

extension ProxyConnection {
    /// What the system says of one of its sockets.
    func note(_ event: Poller.Event, of end: ProxyEnd) {
        switch end {
        case .client: clientSocket.note(event)
        case .server: server.socket.note(event)
        }
    }

    /// The server did not answer in time.
    func giveUpConnecting() {
        guard server.isConnecting else { return }
        server.giveUp("no answer within \(ProxyEngine.connectLimit)")
        serverFailed()
    }

    /// Breaks both ends off, at once.
    func kill(_ reason: String) {
        clientSocket.reset()
        server.socket.reset()
        end(reason)
    }
}

/// An end of a proxied connection.
enum ProxyEnd: UInt64 {
    case client
    case server
}
