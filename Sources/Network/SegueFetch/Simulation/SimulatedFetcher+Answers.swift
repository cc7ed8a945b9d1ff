internal import SegueBase
internal import SegueNetworkModel

/// The delivery of responses, and their failures.
extension SimulatedFetcher {
    func answer(_ transfer: SimulatedTransfer, on connection: SimulatedLink.Connection, at now: Instant) {
        let authority = transfer.url.hostAndPort
        let answer = server.answer(transfer.request, authority: authority, on: connection, at: now)
        transfer.answer = answer
        transfer.progress.headBytes = answer.headBytes
        guard answer.response.status > 0 else {
            // The reset informs the client, which then learns the reason; a silent connection ends with the client's
            // patience.
            if case .failed = answer.ending { link.abandon(connection, at: now) }
            return
        }
        let first = answer.firstBytes
        transfer.write(first, on: link)
        let begins = server.begins(answer, at: now)
        link.respond(headBytes: answer.headBytes, bodyBytes: first, on: connection, at: begins)
        if case .sliced(let bytes, let pause) = answer.pace, first < answer.wireBytes {
            timers.schedule(.more(transfer.id, bytes: bytes), at: begins + pause)
        }
    }

    /// Answers a request whose client has left: the response is sent, and nobody reads it.
    func answer(_ request: FetchRequest, on connection: SimulatedLink.Connection, at now: Instant) {
        let answer = server.answer(request, authority: "", on: connection, at: now)
        guard answer.response.status > 0 else { return }
        let begins = server.begins(answer, at: now)
        link.respond(headBytes: answer.headBytes, bodyBytes: answer.wireBytes, on: connection, at: begins)
    }

    /// Sends more of a body.
    func write(_ bytes: Int, of transfer: SimulatedTransfer, at now: Instant) {
        guard let connection = transfer.connection, let answer = transfer.answer else { return }
        let count = min(bytes, answer.wireBytes - transfer.progress.written)
        transfer.write(count, on: link)
        link.respond(headBytes: 0, bodyBytes: count, on: connection, at: now)
        if case .sliced(_, let pause) = answer.pace, transfer.progress.written < answer.wireBytes {
            timers.schedule(.more(transfer.id, bytes: bytes), at: now + pause)
        }
    }

    /// Processes the arrival of a response up to a size, including the head.
    func receive(_ transfer: SimulatedTransfer, bytes: Int, at now: Instant) {
        guard transfer.progress.whole != nil else { return }
        transfer.progress.reported = bytes
        guard !transfer.isUnread else { return }
        delivery.handOn(at: now)
        guard transfer.progress.isNews(bytes: bytes, at: now), let answer = transfer.answer else { return }
        let former = transfer.progress
        let arrived = bytes - former.headBytes
        let available = answer.decoded(arrived)
        if !former.hasHead {
            transfer.progress.hasHead = true
            transfer.progress.deliveredAt = now
            transfer.expectMore(on: link)
            delivery.gather(transfer)
            delivery.send(.response(transfer.id, answer.response), at: now)
            guard answer.body.count <= transfer.request.limit else {
                let size = "\(answer.body.count) bytes, more than the \(transfer.request.limit) allowed"
                return fail(transfer, FetchError(.tooLarge, size, at: transfer.request.url), at: now)
            }
        }
        let isWhole = arrived == answer.wireBytes
        if case .stalled(arrived, let length) = answer.pace, !isWhole, former.written == arrived {
            timers.schedule(.more(transfer.id, bytes: answer.body.count), at: now + length)
        } else {
            guard isWhole || former.isPart(available, at: now) else { return }
        }
        (transfer.progress.delivered, transfer.progress.deliveredAt) = (available, now)
        transfer.expectMore(on: link)
        var position = former.delivered
        while position < available {
            let end = min(available, position + ResponseProgress.chunkSize)
            delivery.send(.data(transfer.id, answer.body[position..<end]), at: now)
            position = end
        }
        if isWhole { finish(transfer, answer, at: now) }
    }

    private func finish(_ transfer: SimulatedTransfer, _ answer: ServedAnswer, at now: Instant) {
        guard let connection = transfer.connection else { return }
        switch answer.ending {
        case .truncated:
            let claimed = answer.response.headers.first { $0.name == "content-length" }?.value ?? "more"
            let size = "the connection ended after \(answer.body.count) of \(claimed) bytes"
            fail(transfer, FetchError(.truncated, size, at: transfer.request.url), at: now)
        case .failed(let error): fail(transfer, error, at: now)
        case .reset: link.abandon(connection, at: now)
        case .silence: break
        case .closed(let time): timers.schedule(.ending(transfer.id), at: now + time)
        case .whole:
            forget(transfer)
            pools.release(connection)
            if answer.response.isLast || transfer.request.keepsConnection {
                drop(connection, of: transfer.pool, at: now)
            } else {
                server.hasSent(transfer.progress.headBytes + answer.wireBytes, on: connection)
                pools.rest(connection, in: transfer.pool)
            }
            delivery.send(.finished(transfer.id), at: now)
            serve(transfer.pool, at: now)
        }
    }
}
