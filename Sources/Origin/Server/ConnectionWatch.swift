import HummingbirdCore
import Media
import NIOCore
import Synchronization
import Timeline

/// Tells the work for a connection's requests when the client has gone.
///
/// A client that goes sends a FIN, which looks the same as one that only has nothing more to ask (half-closed). So the
/// work that is still being done is cancelled, while what is ready is sent all the same. A client that takes nothing of
/// what is ready for long enough is gone, too: its connection is closed.
final class ConnectionWatch: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Any
    typealias InboundOut = Any

    private struct State {
        var isGone = false
        var work: [ObjectIdentifier: Cancellation] = [:]
        /// Whether somebody looks after what waits to be sent.
        var isWatchingSending = false
        /// How often the connection has had enough, or could take more again.
        var changes = 0
    }

    /// How far sending has come; the same twice means that the client took nothing in between.
    private struct Sending: Equatable {
        var changes: Int
        var left: Int?
    }

    private let state = Mutex(State())
    /// Cancelled when the client goes.
    let client = Cancellation()
    /// How long a client may take nothing.
    private let patience: TimeAmount

    /// A watch over one connection.
    ///
    /// - Parameter patience: How long a client may take nothing of what is sent.
    init(patience: Duration) { self.patience = .nanoseconds(patience.wholeNanoseconds) }

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

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isFirst = state.withLock { state in
            state.changes += 1
            defer { state.isWatchingSending = true }
            return !state.isWatchingSending
        }
        if isFirst { watchSending(context.channel, since: nil) }
        context.fireChannelWritabilityChanged()
    }

    /// Looks again and again whether the client has taken anything, as long as something waits for it.
    private func watchSending(_ channel: any Channel, since last: Sending?) {
        guard channel.isActive, !channel.isWritable else {
            state.withLock { $0.isWatchingSending = false }
            return
        }
        let left = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
        let now = Sending(changes: state.withLock { $0.changes }, left: left)
        if now == last {
            channel.close(promise: nil)
            return
        }
        channel.eventLoop.scheduleTask(in: patience) { [weak channel] in
            if let channel { self.watchSending(channel, since: now) }
        }
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
