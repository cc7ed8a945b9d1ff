internal import SegueBase
internal import SegueEvents
internal import SegueNetworkModel

/// The events of a connection's HTTP requests, from the client's point of view.
extension ShapedConnection {
    /// Processes bytes from the client.
    func watchSent(_ bytes: UnsafeRawBufferPointer) {
        guard watch != nil else { return }
        let engine = engine
        let asked = clientSocket.standIn?.asked ?? link.now
        tell(watch?.sent(bytes, to: "\(server.endpoint)", at: asked) { engine.nextRequest() } ?? [])
    }

    /// Processes bytes to the client.
    func watchGot(_ bytes: UnsafeRawBufferPointer) {
        guard watch != nil else { return }
        tell(watch?.got(bytes, at: link.now) ?? [])
    }

    /// Processes the end of responses.
    func watchEnds() { tell(watch?.answersEnded() ?? []) }

    /// Processes the end of the connection.
    func watchOver(isGivenUp: Bool, _ reason: String) {
        tell(watch?.over(isGivenUp: isGivenUp, reason) ?? [])
        watch = nil
    }

    private func tell(_ news: [ExchangeWatch.News]) {
        for one in news {
            switch one {
            case .asked(let exchange):
                let kind = RequestFault.Kind(url: exchange.url).rawValue
                engine.happened(.requestBegan(request: exchange.number, url: exchange.url, resource: kind))
            case .answered(let exchange):
                engine.happened(.requestAnswered(request: exchange.number, status: exchange.status))
            case .ended(let exchange, let ending): tell(exchange, ending)
            case .unread(let what, let named):
                let host = named.isEmpty && clientSocket.standIn != nil ? server.endpoint.host : named
                engine.happened(
                    .linkUnread(link: link.name, connection: record.number, what: what.rawValue, host: host)
                )
            case .playlist(let exchange, let bytes): engine.look(at: exchange.url, bytes, on: link)
            }
        }
    }

    private func tell(_ exchange: ExchangeWatch.Exchange, _ ending: ExchangeWatch.Ending) {
        let number = exchange.number
        let seconds = (link.now - exchange.asked).seconds
        let end: String
        switch ending {
        case .whole:
            end = "whole"
            engine.happened(.requestFinished(request: number, bytes: exchange.bytes, seconds: seconds))
        case .cancelled:
            end = "cancelled"
            engine.happened(.requestCancelled(request: number, bytes: exchange.bytes))
        case .failed(let words):
            end = words
            let reason = exchange.status > 0 ? "truncated" : "connectionLost"
            engine.happened(.requestFailed(request: number, reason: reason, message: words))
        }
        engine.happened(
            .linkRequest(
                link: link.name,
                connection: record.number,
                request: number,
                method: exchange.method,
                url: exchange.url,
                range: exchange.range,
                isReused: exchange.isReused,
                status: exchange.status,
                bytes: exchange.bytes,
                firstByte: exchange.answered.map { ($0 - exchange.asked).seconds } ?? -1,
                seconds: seconds,
                fault: exchange.fault,
                end: end
            )
        )
    }
}
