import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Notes what a connection's client asks and is sent, and ends one that takes for ever to send its request.
///
/// It stands where all that is sent comes by, what the server says by itself of what is no HTTP too.
final class ExchangeWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How many bytes a request's body may have: nothing that is asked here has one to speak of.
    static let mostBody = 1 << 20

    private let exchanges: Exchanges
    private let patience: TimeAmount
    private var peer = ClientAddress.none
    /// What of a request's body has come; nil where none is coming.
    private var body: Int?
    /// Ends the connection where the rest of the request does not come.
    private var timeout: Scheduled<Void>?
    /// Where the bytes of the next request wait; nil for a stream of HTTP/2, which has one request.
    private var gate: RequestGate?

    /// A watch over one connection.
    ///
    /// - Parameters:
    ///   - exchanges: Where it notes what it sees.
    ///   - patience: How long the body of a request may take to come.
    init(_ exchanges: Exchanges, patience: TimeAmount) { (self.exchanges, self.patience) = (exchanges, patience) }

    // A stream of HTTP/2 is asked by its channel: its pipeline ends the program when it is asked for an address.
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
            if let body, body > Self.mostBody { return context.close(promise: nil) }
        case .end:
            body = nil
            gate?.requestEnded()
            timeout?.cancel()
            timeout = nil
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The whole of most requests comes at once, and costs no timer.
        if body != nil, timeout == nil {
            timeout = context.eventLoop.assumeIsolated().scheduleTask(in: patience) { context.close(promise: nil) }
        }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let taken: EventLoopPromise<Void>
        switch unwrapOutboundIn(data) {
        case .head(let head):
            if head.status.code >= 200 { exchanges.answer(head.status.code) }
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
