import Foundation
import NIOCore

/// A pause in accepting connections when the system has no file descriptor or memory for another one.
///
/// NIO's `AcceptBackoffHandler` delays the next read, but the failed one stays registered, so the system reports a new
/// connection again at once. This handler disables reading of the channel.
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
