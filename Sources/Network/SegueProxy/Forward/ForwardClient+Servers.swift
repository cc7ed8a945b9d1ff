/// The connections of a forward proxy's client to servers.
extension ForwardClient {
    func reach(_ server: Endpoint, speaksHTTP: Bool = false) {
        hasAsked = true
        if !speaksHTTP { asked = nil }
        guard link.forwarding.allows(server.host) else {
            engine.say("\(name): \(server) is not an allowed host of this proxy")
            return refuse(403, "\(server.host) is not an allowed host of this proxy", socks: .notAllowed)
        }
        phase = .resolving
        engine.names.resolve(server.host, on: link) { [weak self] answer in
            guard let self, !isOver else { return }
            switch answer {
            case .failure(let error):
                engine.say("\(name): \(error); the client receives an error")
                refuse(502, "\(error)", socks: .hostUnreachable)
            case .success(let addresses): connect(to: server, at: addresses, speaksHTTP: speaksHTTP)
            }
            engine.enqueue(id)
        }
    }

    private func connect(to server: Endpoint, at addresses: [SocketAddress], speaksHTTP: Bool) {
        while origins.count >= Self.mostOrigins { drop(origins.removeFirst()) }
        let origin = ForwardOrigin(server, of: self)
        let begun = engine.begin(ProxiedSocket(origin), of: name, on: link, to: Upstream(server, at: addresses))
        origin.connection = begun as? ShapedConnection
        origins.append(origin)
        use(origin, speaksHTTP ? .http : .tunnel)
    }

    /// Ends a connection that is not needed any more.
    func drop(_ origin: ForwardOrigin, isBrokenOff: Bool = false) {
        origins.removeAll { $0 === origin }
        origin.letGo(isBrokenOff: isBrokenOff)
        guard let connection = origin.connection else { return }
        origin.isReady = true
        engine.enqueue(connection.record)
    }

    /// Refuses a request in the client's protocol, and closes the connection.
    func refuse(_ status: Int, _ words: String, socks answer: SocksGreeting.Answer = .failed) {
        leave(saying: isSocks ? SocksGreeting.answer(answer) : ForwardRequest.answer(status, words))
    }
}
