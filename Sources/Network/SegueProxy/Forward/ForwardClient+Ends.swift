internal import Glibc

/// The client's end of connections to servers.
extension ForwardClient {
    /// Reads bytes of the client for a connection.
    func read(for origin: ForwardOrigin, into buffer: UnsafeMutableRawBufferPointer) -> ProxiedSocket.Outcome {
        guard origin === current, !isOver else { return .notNow }
        if case .tunnel = phase {
            guard !input.isEmpty else { return inputEnded ? .ended : socket.read(into: buffer) }
            return Self.move(&input, into: buffer, input.count)
        }
        if !upload.isEmpty { return Self.move(&upload, into: buffer, upload.count) }
        guard fill() else { return .broken(ECONNRESET) }
        guard requests.isWithin else { return inputEnded && input.isEmpty ? .ended : .notNow }
        var copy = requests
        let part = input.withUnsafeBytes { bytes in
            var rest = Slice(UnsafeRawBufferPointer(rebasing: bytes.prefix(buffer.count)))
            return copy.next(&rest)
        }
        switch part {
        case .body(let count, _):
            requests = copy
            return Self.move(&input, into: buffer, count)
        case .end:
            requests = copy
            return .notNow
        default: return inputEnded ? .ended : .notNow
        }
    }

    /// Writes bytes to the client.
    func write(_ bytes: UnsafeRawBufferPointer, from origin: ForwardOrigin) -> ProxiedSocket.Outcome {
        guard origin === current, !isOver, output.isEmpty else { return .notNow }
        if case .tunnel = phase { return isEstablished ? socket.write(bytes) : .notNow }
        var trial = answers
        let most = follow(bytes, &trial)
        guard most.count > 0 else { return .notNow }
        let outcome = socket.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(most.count)))
        guard case .moved(let count) = outcome else { return outcome }
        hasAnswered = true
        let followed =
            count == most.count ? most : follow(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)), &answers)
        if count == most.count { answers = trial }
        closesAfter = closesAfter || followed.closes
        if followed.isWhole { exchangeEnds() }
        return outcome
    }

    /// Parses a response.
    ///
    /// - Returns: The number of its bytes, whether it is complete with them, and whether the connection ends after it.
    private func follow(
        _ bytes: UnsafeRawBufferPointer,
        _ answers: inout MessageReader
    ) -> (count: Int, isWhole: Bool, closes: Bool) {
        var rest = Slice(bytes)
        var closes = false
        var isInterim = answers.isInterim
        while let part = answers.next(&rest) {
            switch part {
            case .head(let head):
                answers.body = head.answerBody(to: method)
                isInterim = (100..<200).contains(head.status) && head.status != 101
                answers.isInterim = isInterim
                closes = !isInterim && head.endsConnection
            case .body: break
            case .end where isInterim: break
            case .end: return (bytes.count - rest.count, true, closes)
            case .unreadable:
                // The rest passes unchanged until the connection ends.
                answers.body = .untilClose
                return (bytes.count, false, true)
            }
        }
        return (bytes.count, false, closes)
    }

    /// Handles a complete response.
    private func exchangeEnds() {
        current = nil
        if closesAfter || requests.isWithin && !requestIsOver() { return leave(saying: []) }
        engine.enqueue(id)
    }

    /// Returns whether the answered request is complete as well.
    private func requestIsOver() -> Bool {
        guard upload.isEmpty, requests.body.hasEnded else { return false }
        var rest = Slice(UnsafeRawBufferPointer(start: nil, count: 0))
        if case .end = requests.next(&rest) { return true }
        return false
    }

    /// Reports an established tunnel.
    func established(_ origin: ForwardOrigin) {
        guard origin === current, case .tunnel = phase, !isEstablished else { return }
        isEstablished = true
        output += isSocks ? SocksGreeting.answer(.established) : ForwardRequest.established
        if flush() { stir() }
    }

    /// Handles the end of a server's data.
    func finished(_ origin: ForwardOrigin) {
        guard origin === current else { return drop(origin) }
        if case .tunnel = phase { return isEstablished ? socket.endWriting() : failed(origin) }
        // Only the end of the connection ends it, complete or truncated.
        leave(saying: [])
    }

    /// Handles the end of a connection.
    func over(_ origin: ForwardOrigin, isReset: Bool) {
        origins.removeAll { $0 === origin }
        guard origin === current, !isOver else { return }
        let isUnreached = origin.connection?.server.hasFailed == true && !hasAnswered
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
        refuse(isLate ? 504 : 502, "\(origin.server): \(words)", isLate ? .hostUnreachable : .refused)
        engine.enqueue(id)
    }
}
