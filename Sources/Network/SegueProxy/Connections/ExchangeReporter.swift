internal import SegueBase
internal import SegueEvents
internal import SegueNetworkModel

/// Reports the HTTP requests of a connection as events, from the client's point of view.
final class ExchangeReporter {
    private unowned let engine: ProxyEngine
    private let link: ProxiedLink
    /// The number of the connection.
    private let connection: Int
    private let server: Endpoint
    /// True if the client uses a forward proxy.
    private let isForwarded: Bool
    private var watch: ExchangeWatch

    init(_ record: ConnectionRecord, to server: Endpoint, isForwarded: Bool, on link: ProxiedLink, engine: ProxyEngine)
    {
        (connection, self.server, self.isForwarded) = (record.number, server, isForwarded)
        (self.link, self.engine) = (link, engine)
        watch = ExchangeWatch(keepsPlaylists: !isForwarded)
    }

    /// Processes bytes that the client has sent at a time.
    func sent(_ bytes: UnsafeRawBufferPointer, at asked: Instant) {
        let engine = engine
        tell(watch.sent(bytes, to: "\(server)", at: asked) { engine.nextRequest() })
    }

    /// Processes bytes to the client.
    func got(_ bytes: UnsafeRawBufferPointer) { tell(watch.got(bytes, at: link.now)) }

    /// Processes the end of responses.
    func answersEnded() { tell(watch.answersEnded()) }

    /// Processes the end of the connection.
    func over(isGivenUp: Bool, _ reason: String) { tell(watch.over(isGivenUp: isGivenUp, reason)) }

    /// Records the fault that a request met at the server; nil for none.
    func inspected(_ fault: String?) { watch.inspected(fault) }

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
                let host = named.isEmpty && isForwarded ? server.host : named
                engine.happened(
                    .linkUnread(link: link.name, connection: connection, what: what.rawValue, host: host)
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
                connection: connection,
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
