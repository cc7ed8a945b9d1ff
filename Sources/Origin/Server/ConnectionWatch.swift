import HummingbirdCore
import Media
import NIOCore
import Synchronization

/// Tells the work for a connection's requests when the client has gone.
///
/// A client that goes sends a FIN, which looks the same as one that only has nothing more to ask (half-closed). So the
/// work that is still being done is cancelled, while what is ready is sent all the same.
final class ConnectionWatch: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Any
    typealias InboundOut = Any

    private struct State {
        var isGone = false
        var work: [ObjectIdentifier: Cancellation] = [:]
    }

    private let state = Mutex(State())
    /// Cancelled when the client goes.
    let client = Cancellation()

    /// Cancels this work when the client goes, or at once where it has gone.
    func watch(_ cancellation: Cancellation) {
        let isGone = state.withLock { state in
            if !state.isGone { state.work[ObjectIdentifier(cancellation)] = cancellation }
            return state.isGone
        }
        if isGone { cancellation.cancel() }
    }

    /// Forgets work that is done.
    func forget(_ cancellation: Cancellation) {
        _ = state.withLock { $0.work.removeValue(forKey: ObjectIdentifier(cancellation)) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { clientHasGone() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        clientHasGone()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        clientHasGone()
        context.fireErrorCaught(error)
    }

    private func clientHasGone() {
        let work = state.withLock { state in
            state.isGone = true
            defer { state.work = [:] }
            return Array(state.work.values)
        }
        for cancellation in work { cancellation.cancel() }
        client.cancel()
    }
}
