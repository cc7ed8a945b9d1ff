internal import SegueBase
internal import SegueNetworkModel

/// The delivery of responses, and their failures.
extension SimulatedFetcher {
    func answer(_ id: FetchID, on connection: SimulatedLink.Connection, at now: Instant) {
        guard let job = jobs[id] else { return }
        let answer = answer(to: job.request, authority: job.url.hostAndPort, on: connection, at: now)
        job.answer = answer
        job.headBytes = answer.headBytes
        guard answer.response.status > 0 else {
            // The reset tells the client, which then learns the reason; a silent connection ends with the client's
            // patience.
            if case .failed = answer.ending { link.abandon(connection, at: now) }
            return
        }
        let count = answer.wireBytes
        let first =
            switch answer.pace {
            case .whole: count
            case .stalled(let bytes, _): bytes
            case .sliced(let bytes, _): min(bytes, count)
            }
        job.written = first
        job.whole = first
        expectMore(job)
        let begins = now + (answer.response.serverTime ?? think)
        link.respond(headBytes: job.headBytes, bodyBytes: first, on: connection, at: begins)
        if case .sliced(let bytes, let pause) = answer.pace, first < count {
            timers.schedule(.more(id, bytes: bytes), at: begins + pause)
        }
    }

    /// Answers a request whose client has left: the response is sent, and nobody reads it.
    func answer(_ request: FetchRequest, on connection: SimulatedLink.Connection, at now: Instant) {
        let answer = answer(to: request, authority: "", on: connection, at: now)
        guard answer.response.status > 0 else { return }
        let begins = now + (answer.response.serverTime ?? think)
        link.respond(headBytes: answer.headBytes, bodyBytes: answer.wireBytes, on: connection, at: begins)
    }

    private func answer(
        to request: FetchRequest,
        authority: String,
        on connection: SimulatedLink.Connection,
        at now: Instant
    ) -> ServedAnswer {
        var request = request
        request.cameAt = now
        var answer = ServedAnswer(to: request, from: respond, authority: authority)
        if let effect = effect(on: request, at: now) {
            answer.suffer(effect, request, respond, sent: sent[connection] ?? 0)
        }
        return answer
    }

    /// The fault that a request meets; nil for none.
    private func effect(on request: FetchRequest, at now: Instant) -> RequestFault.Effect? {
        if faults.isEmpty, added.isEmpty { return nil }
        // Both plans count the request, even if the other one applies.
        let own = faults.effect(url: request.url, at: .zero + (now - networkBegan))
        let other = added.effect(url: request.url, at: now)
        return own ?? other
    }

    /// Sends more of a body.
    func write(_ bytes: Int, _ id: FetchID, on connection: SimulatedLink.Connection, at now: Instant) {
        guard let job = jobs[id], let answer = job.answer else { return }
        let count = min(bytes, answer.wireBytes - job.written)
        job.written += count
        job.whole = job.written
        expectMore(job)
        link.respond(headBytes: 0, bodyBytes: count, on: connection, at: now)
        if case .sliced(_, let pause) = answer.pace, job.written < answer.wireBytes {
            timers.schedule(.more(id, bytes: bytes), at: now + pause)
        }
    }

    /// Sets the progress at which the link reports a response.
    private func expectMore(_ job: Job) {
        guard let connection = job.connection, let whole = job.whole, job.answer?.isPlain ?? false
        else { return }
        let bytes = job.hasHead ? min(whole, job.delivered + Self.chunkSize) : 0
        let instant = job.hasHead ? job.deliveredAt + Self.chunkDelay : Instant(nanoseconds: .max)
        link.expect(bytes: job.headBytes + bytes, orFrom: instant, on: connection)
    }

    func receive(_ id: FetchID, bytes: Int, on connection: SimulatedLink.Connection, at now: Instant) {
        guard let job = jobs[id], job.whole != nil else { return }
        job.unread = bytes
        guard !job.isUnread else { return }
        handOnGathered(at: now)
        guard job.isNews(bytes: bytes, at: now), let answer = job.answer else { return }
        let (former, toldAt) = (job.delivered, job.deliveredAt)
        let arrived = bytes - job.headBytes
        let available = answer.decoded(arrived)
        if !job.hasHead {
            job.hasHead = true
            job.deliveredAt = now
            expectMore(job)
            gather(job)
            send(.response(id, answer.response), at: now)
            guard answer.body.count <= job.request.limit else {
                let size = "\(answer.body.count) bytes, more than the \(job.request.limit) allowed"
                return fail(id, job, FetchError(.tooLarge, "\(size): \(job.request.url)"), at: now)
            }
        }
        let isWhole = arrived == answer.wireBytes
        let isDue = available - former >= Self.chunkSize || now - toldAt >= Self.chunkDelay
        if case .stalled(arrived, let length) = answer.pace, !isWhole, job.written == arrived {
            timers.schedule(.more(id, bytes: answer.body.count), at: now + length)
        } else {
            guard isWhole || isDue else { return }
        }
        (job.delivered, job.deliveredAt) = (available, now)
        expectMore(job)
        var position = former
        while position < available {
            let end = min(available, position + Self.chunkSize)
            send(.data(id, answer.body[position..<end]), at: now)
            position = end
        }
        if isWhole { finish(id, job, answer, on: connection, at: now) }
    }

    private func finish(
        _ id: FetchID,
        _ job: Job,
        _ answer: ServedAnswer,
        on connection: SimulatedLink.Connection,
        at now: Instant
    ) {
        switch answer.ending {
        case .truncated:
            let claimed = answer.response.headers.first { $0.name == "content-length" }?.value ?? "more"
            let size = "the connection ended after \(answer.body.count) of \(claimed) bytes"
            fail(id, job, FetchError(.truncated, "\(size): \(job.request.url)"), at: now)
        case .failed(let error): fail(id, job, error, at: now)
        case .reset: link.abandon(connection, at: now)
        case .silence: break
        case .closed(let time): timers.schedule(.ending(id), at: now + time)
        case .whole:
            forget(id)
            owners[connection] = nil
            if answer.response.isLast || job.request.keepsConnection {
                drop(connection, of: job.pool, at: now)
            } else {
                sent[connection, default: 0] += job.headBytes + answer.wireBytes
                pools[job.pool]?.idle.append(connection)
            }
            send(.finished(id), at: now)
            serve(job.pool, at: now)
        }
    }
}
