/// The own input and output of a forward proxy's client, and its end.
extension ForwardClient {
    /// Reads bytes from the client up to the limit.
    ///
    /// - Returns: True if the connection is intact.
    func fill() -> Bool {
        guard stream.fill() else {
            end(isBrokenOff: true)
            return false
        }
        return true
    }

    /// Writes the proxy's own output; returns whether all was written.
    func flush() -> Bool {
        guard stream.flush() else {
            end(isBrokenOff: true)
            return false
        }
        return stream.output.isEmpty
    }

    /// Reads and discards the client's bytes until it closes its end.
    ///
    /// Closing a socket with unread bytes resets it,
    /// which may cost the client the response.
    ///
    /// - Returns: True if more can be read at once.
    func discard() -> Bool {
        stream.input = []
        guard fill() else { return false }
        if stream.inputEnded { return endIfEnded() }
        return stream.isFull
    }

    func endIfEnded() -> Bool {
        if stream.inputEnded { end(isBrokenOff: false) }
        return false
    }

    /// Sends bytes, and closes the connection when the client has them.
    func leave(saying bytes: [UInt8]) {
        stream.say(bytes)
        phase = .farewell
        letGo(isBrokenOff: false)
        engine.call(in: Self.farewell) { [weak self] in self?.end(isBrokenOff: false) }
        engine.enqueue(id)
    }

    func kill(_ reason: ConnectionEnding) { reset() }

    func reset() {
        stream.socket.reset()
        end(isBrokenOff: true)
    }

    func end(isBrokenOff: Bool) {
        guard !isOver else { return }
        isOver = true
        letGo(isBrokenOff: isBrokenOff)
        stream.socket.close()
        engine.ended(self)
    }

    func letGo(isBrokenOff: Bool) {
        current = nil
        for origin in origins { drop(origin, isBrokenOff: isBrokenOff) }
    }
}
