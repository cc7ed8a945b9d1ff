import NIOCore

/// A handler that closes connections above the limits of an address before anything is set up for them.
///
/// It is the first handler of the listening socket, so that such connections do not count toward the total either.
final class AddressGate: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let limiter: ClientLimiter

    init(_ limiter: ClientLimiter) { self.limiter = limiter }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        let peer = ClientAddress(channel.remoteAddress)
        switch limiter.open(peer) {
        case .refused:
            channel.close(promise: nil)
            return
        case .counted: channel.closeFuture.whenComplete { [limiter] _ in limiter.close(peer) }
        case .exempt: break
        }
        context.fireChannelRead(data)
    }
}
