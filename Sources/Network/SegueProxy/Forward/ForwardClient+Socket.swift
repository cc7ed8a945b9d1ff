/// The own input and output of a forward proxy's client, and its end.
extension ForwardClient {
    /// Reads bytes from the client up to the limit.
    ///
    /// - Returns: True if the connection is intact.
    func fill() -> Bool {
        while socket.mayRead, !inputEnded, input.count < Self.inputLimit {
            var outcome = ProxiedSocket.Outcome.notNow
            let piece = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
                outcome = socket.read(into: UnsafeMutableRawBufferPointer(buffer))
                if case .moved(let moved) = outcome { count = moved }
            }
            switch outcome {
            case .moved: input += piece
            case .notNow: break
            case .ended: inputEnded = true
            case .broken:
                end(isBrokenOff: true)
                return false
            }
        }
        return true
    }

    /// Writes the proxy's own output; returns whether all was written.
    func flush() -> Bool {
        while !output.isEmpty {
            guard socket.mayWrite else { return false }
            switch output.withUnsafeBytes({ socket.write($0) }) {
            case .moved(let count): output.removeFirst(count)
            case .notNow, .ended: return false
            case .broken:
                end(isBrokenOff: true)
                return false
            }
        }
        return true
    }

    /// Reads and discards the client's bytes until it closes its end.
    ///
    /// Closing a socket with unread bytes resets it,
    /// which may cost the client the response.
    ///
    /// - Returns: True if more can be read at once.
    func discard() -> Bool {
        input = []
        guard fill() else { return false }
        if inputEnded { return endIfEnded() }
        return input.count >= Self.inputLimit
    }

    func endIfEnded() -> Bool {
        if inputEnded { end(isBrokenOff: false) }
        return false
    }

    /// Sends bytes, and closes the connection when the client has them.
    func leave(saying bytes: [UInt8]) {
        output += bytes
        phase = .farewell
        letGo(isBrokenOff: false)
        engine.call(in: Self.farewell) { [weak self] in self?.end(isBrokenOff: false) }
        engine.enqueue(id)
    }

    func kill(_ reason: ConnectionEnding) { reset() }

    func reset() {
        socket.reset()
        end(isBrokenOff: true)
    }

    func end(isBrokenOff: Bool) {
        guard !isOver else { return }
        isOver = true
        letGo(isBrokenOff: isBrokenOff)
        socket.close()
        engine.ended(self)
    }

    func letGo(isBrokenOff: Bool) {
        current = nil
        for origin in origins { drop(origin, isBrokenOff: isBrokenOff) }
    }

    static func move(
        _ bytes: inout [UInt8],
        into buffer: UnsafeMutableRawBufferPointer,
        _ most: Int
    ) -> ProxiedSocket.Outcome {
        let count = min(most, buffer.count)
        guard count > 0 else { return .notNow }
        buffer.copyBytes(from: bytes.prefix(count))
        bytes.removeFirst(count)
        return .moved(count)
    }

    /// Consumes a part from the front of the buffered bytes.
    func take(
        from bytes: inout [UInt8],
        _ read: (inout Slice<UnsafeRawBufferPointer>) -> MessageReader.Part?
    ) -> MessageReader.Part? {
        let (part, left) = bytes.withUnsafeBytes { raw in
            var rest = Slice(raw)
            let part = read(&rest)
            return (part, rest.count)
        }
        bytes.removeFirst(bytes.count - left)
        return part
    }
}
