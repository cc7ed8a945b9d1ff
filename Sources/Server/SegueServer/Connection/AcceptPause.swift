import Foundation
import NIOCore

/// Stops accepting connections for a moment when the system has no descriptor or memory for one more.
///
/// NIO has something of the kind (`AcceptBackoffHandler`), but it holds back the next read, while the one that failed is
/// still asked for: the system says again and again at once that there is something to accept. So here the channel is
/// told not to look.
final class AcceptPause: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel

    private static let pause = TimeAmount.seconds(1)
    private static let scarcities = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, Self.scarcities.contains(error.errnoCode) {
            let channel = context.channel
            try? channel.syncOptions?.setOption(.autoRead, value: false)
            context.eventLoop.scheduleTask(in: Self.pause) {
                try? channel.syncOptions?.setOption(.autoRead, value: true)
            }
        }
        context.fireErrorCaught(error)
    }
}
