import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A recorder of a connection's requests and responses, with a time limit for receiving a request.
///
/// It is placed where all responses pass, including those of the server library to malformed requests.
final class ExchangeRecorder: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The maximum length of a request's body in bytes.
    static let bodyLimit = 1 << 20

    private let exchanges: Exchanges
    private let patience: TimeAmount
    private var peer = ClientAddress.none
    /// The received length of the current request's body; nil between requests.
    private var body: Int?
    /// The time limit for the rest of the request.
    private var timeout: Scheduled<Void>?
    /// The gate that holds the next request; nil for a stream of HTTP/2, which has a single request.
    private var gate: RequestGate?

    /// - Parameters:
    ///   - patience: The time limit for the body of a request.
    init(_ exchanges: Exchanges, patience: TimeAmount) { (self.exchanges, self.patience) = (exchanges, patience) }

    // The address comes from the parent channel of an HTTP/2 stream: the stream's own channel traps.
    func handlerAdded(context: ChannelHandlerContext) {
        peer = ClientAddress(context.channel.remoteAddress)
        gate = RequestGate.install(in: context.pipeline, of: context.channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            body = 0
            gate?.requestBegan()
            if peer == .none { peer = ClientAddress(context.channel.remoteAddress) }
            exchanges.begin(head.method.rawValue, head.path ?? "", from: peer) { name in
                HTTPField.Name(name).map { head.headerFields[values: $0] } ?? []
            }
        case .body(let bytes):
            body? += bytes.readableBytes
            if let body, body > Self.bodyLimit { return context.close(promise: nil) }
        case .end:
            body = nil
            gate?.requestEnded()
            timeout?.cancel()
            timeout = nil
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests are complete at once and need no timer.
        if body != nil, timeout == nil {
            timeout = context.eventLoop.assumeIsolated().scheduleTask(in: patience) { context.close(promise: nil) }
        }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let taken: EventLoopPromise<Void>
        switch unwrapOutboundIn(data) {
        case .head(let head):
            if head.status.code >= 200 { exchanges.beginResponse(head.status.code) }
            return context.write(data, promise: promise)
        case .body(let bytes):
            let count = bytes.readableBytes
            taken = promise ?? context.eventLoop.makePromise()
            taken.futureResult.whenSuccess { [exchanges] in exchanges.send(count) }
        case .end:
            taken = promise ?? context.eventLoop.makePromise()
            taken.futureResult.assumeIsolated().whenSuccess { [exchanges, gate] in
                exchanges.end()
                gate?.answered()
            }
        }
        context.write(data, promise: taken)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timeout?.cancel()
        timeout = nil
        exchanges.leave()
        context.fireChannelInactive()
    }
}
