internal import Glibc

/// The client's end of connections to servers.
extension ForwardClient {
    /// Reads bytes of the client for a connection.
    func read(for origin: ForwardOrigin, into buffer: UnsafeMutableRawBufferPointer) -> ProxiedSocket.Outcome {
        guard origin === current, !isOver else { return .notNow }
        if case .tunnel = phase { return stream.read(into: buffer) }
        if let outcome = exchanges.readHead(into: buffer) { return outcome }
        guard fill() else { return .broken(ECONNRESET) }
        return exchanges.readBody(of: &stream, into: buffer)
    }

    /// Writes bytes to the client.
    func write(_ bytes: UnsafeRawBufferPointer, from origin: ForwardOrigin) -> ProxiedSocket.Outcome {
        guard origin === current, !isOver, stream.output.isEmpty else { return .notNow }
        if case .tunnel = phase { return isEstablished ? stream.socket.write(bytes) : .notNow }
        let (outcome, isWhole) = exchanges.write(bytes, to: &stream.socket)
        if isWhole { exchangeEnds() }
        return outcome
    }

    /// Handles a complete response.
    private func exchangeEnds() {
        current = nil
        guard exchanges.mayContinue() else { return leave(saying: []) }
        engine.enqueue(id)
    }

    /// Reports an established tunnel.
    func established(_ origin: ForwardOrigin) {
        guard origin === current, case .tunnel = phase, !isEstablished else { return }
        isEstablished = true
        stream.say(isSocks ? SocksGreeting.answer(.established) : ForwardRequest.established)
        if flush() { stir() }
    }

    /// Handles the end of a server's data.
    func finished(_ origin: ForwardOrigin) {
        guard origin === current else { return drop(origin) }
        if case .tunnel = phase { return isEstablished ? stream.socket.endWriting() : failed(origin) }
        // Only the end of the connection ends it, complete or truncated.
        leave(saying: [])
    }

    /// Handles the end of a connection.
    func over(_ origin: ForwardOrigin, isReset: Bool) {
        origins.removeAll { $0 === origin }
        guard origin === current, !isOver else { return }
        let isUnreached = origin.connection?.server.hasFailed == true && !exchanges.hasAnswered
        if case .tunnel = phase, !isEstablished { return failed(origin) }
        if isUnreached, !isEstablished { return failed(origin) }
        current = nil
        guard isReset else { return leave(saying: []) }
        reset()
    }

    private func failed(_ origin: ForwardOrigin) {
        current = nil
        let failure = origin.connection?.server.failure
        let words = failure.map { "\($0)" } ?? "no answer from the network"
        let isLate = if case .system = failure { false } else { true }
        refuse(isLate ? 504 : 502, "\(origin.server): \(words)", socks: isLate ? .hostUnreachable : .refused)
        engine.enqueue(id)
    }
}
