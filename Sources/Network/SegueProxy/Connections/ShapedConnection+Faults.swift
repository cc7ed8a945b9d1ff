internal import SegueBase
internal import SegueEvents
internal import SegueNetworkModel

/// Faults of requests and responses.
extension ShapedConnection {
    /// Passes on bytes that were read at the sending end of a direction.
    func push(_ bytes: [UInt8], _ direction: LinkDirection) {
        guard direction == .down, faults.filter != nil else {
            return relay.push(bytes, direction, on: connection, at: link.now)
        }
        faults.filter?.answer(bytes)
        carryOutFaults()
    }

    /// Passes on the end of a direction.
    func finish(_ direction: LinkDirection) {
        guard direction == .down, faults.filter != nil else {
            return relay.finish(direction, on: connection, at: link.now)
        }
        faults.filter?.answerEnded()
        carryOutFaults()
    }

    /// Begins filtering where a request begins, which is after the client has received the previous response.
    func filterFromNextRequest() {
        var isRequest = false
        _ = relay.take(.up, on: connection) { bytes in
            let method = bytes.prefix(8).prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }.count
            isRequest = method >= 3 && method < bytes.count && bytes[method] == UInt8(ascii: " ")
            return 0
        }
        if isRequest { faults.filter = FaultFilter() }
    }

    /// Reads the requests that have arrived, and passes on the bytes that the server should receive.
    func inspectRequests() {
        while faults.cut == nil, faults.forward.count == 0, relay.arrived(.up, on: connection) > 0 {
            var bytes: [UInt8] = []
            _ = relay.take(.up, on: connection) { piece in
                bytes = Array(piece)
                return piece.count
            }
            let (link, record, engine, exchanges) = (link, record, engine, exchanges)
            let forwarded = faults.filter?.request(bytes) { target in
                guard let effect = link.fault(of: target) else {
                    exchanges?.inspected(nil)
                    return nil
                }
                let fault = effect.summary
                exchanges?.inspected(fault)
                engine.happened(
                    .linkFault(link: link.name, connection: record.number, url: target, fault: fault)
                )
                return effect
            }
            faults.forward.append(forwarded ?? [])
        }
        if faults.cut != nil {
            faults.forward.removeAll()
            while relay.take(.up, on: connection, \.count) != nil {}
        }
        carryOutFaults()
    }

    /// Resumes after a pause.
    func resume() {
        faults.resume(at: link.now)
        carryOutFaults()
    }

    private func carryOutFaults() {
        while let action = faults.next() {
            switch action {
            case .send(let bytes): relay.push(bytes, .down, on: connection, at: link.now)
            case .wait(let pause):
                faults.pause(until: link.now + pause)
                engine.wake(record, in: pause)
            case .close where server.socket.hasEnded: relay.finish(.down, on: connection, at: link.now)
            case .close: end(.close)
            case .reset: end(.reset)
            }
        }
    }

    private func end(_ cut: ConnectionFaults.Cut) {
        faults.cut = cut
        closeServer()
        relay.finish(.down, on: connection, at: link.now)
    }
}
