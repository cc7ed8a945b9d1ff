import NIOCore

/// Ends connections that are more than an address may have, before anything is set up for them.
///
/// It stands first in the pipeline of the socket that listens, so that they do not count among all either.
final class AddressGate: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let limiter: ClientLimiter

    /// A gate with a limiter.
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
