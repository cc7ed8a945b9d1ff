/// Work for the proxy's thread when sockets become ready.
protocol PolledWork: AnyObject {
    /// Records an event of one of its sockets.
    func note(_ event: Poller.Event, of end: ProxyEnd)

    /// Does what is possible now, after an event of a socket or of the link.
    ///
    /// - Returns: True if more can be done at once.
    func work() -> Bool

    /// Resets everything at once.
    func kill(_ reason: ConnectionEnding)
}

/// A client's connection through the proxy, and the server's connection for it.
protocol ProxyConnection: PolledWork {
    var record: ConnectionRecord { get }

    var clientSocket: ProxiedSocket { get set }

    var server: ServerSocket { get set }

    /// Handles a failed connection attempt to the server.
    func serverFailed()

    /// Ends the connection, whose sockets are closed.
    func end(_ reason: ConnectionEnding)
}

extension ProxyConnection {
    /// Records an event of one of its sockets.
    func note(_ event: Poller.Event, of end: ProxyEnd) {
        switch end {
        case .client: clientSocket.note(event)
        case .server: server.socket.note(event)
        }
    }

    /// Fails the connection if the server has not answered in time.
    func giveUpConnecting() {
        guard server.isConnecting else { return }
        server.giveUp(.noAnswer(within: ProxyEngine.connectLimit))
        serverFailed()
    }

    /// Resets both ends at once.
    func kill(_ reason: ConnectionEnding) {
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
