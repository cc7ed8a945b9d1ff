import Foundation
import HTTPTypes
import Media
import NIOCore
import NIOHTTPTypes
import Synchronization
import Timeline

/// Looks after a connection's client: whether it has gone, and whether it takes what it is sent.
///
/// The work for the requests of a client that has gone is cancelled. One that takes nothing of what is sent for long
/// enough is gone, too: its connection is closed.
///
/// A client that goes sends a FIN, which looks the same as one that only has nothing more to ask (half-closed) and waits
/// for its answer. What tells them apart is how they take a byte more: a client that has gone refuses it with a reset.
/// So where an answer takes long after a FIN, the client is sent an interim one (RFC 9110, section 15.2).
final class ConnectionWatch: ChannelDuplexHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private struct State {
        var isGone = false
        var work: [ObjectIdentifier: Cancellation] = [:]
        /// Whether somebody looks after what waits to be sent.
        var isWatchingSending = false
        /// The next look at what waits to be sent, and the next question whether the client is there.
        ///
        /// They hold all this until their time has come, so they are taken back when the connection ends.
        var look: Scheduled<Void>?
        var question: Scheduled<Void>?
        /// How many answers have not begun.
        var unanswered = 0
    }

    /// How far sending has come; the same twice means that the client took nothing in between.
    private struct Sending: Equatable {
        var done: Int
        var left: Int?
    }

    /// How many bytes the system takes that are not on their way yet.
    static let mostUnsent = 128 << 10
    /// What sets it; nothing else of what is in flight is limited.
    ///
    /// By itself Linux takes as many bytes as a fast connection may have in flight, up to 4 MB: two gigabytes of its memory
    /// for 900 clients on the same machine that do not read.
    static let unsentLimit = ChannelOptions.tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
    /// How long after a FIN the client is asked whether it is there, the first time.
    private static let firstQuestion = TimeAmount.seconds(2)

    private let state = Mutex(State())
    private let memory: MemoryKeeper
    /// How far the connection has come with what is sent.
    let progress = SendingProgress()
    /// Cancelled when the client goes.
    let client = Cancellation()
    /// How long a client may take nothing.
    private let patience: TimeAmount

    /// A watch over one connection.
    ///
    /// - Parameters:
    ///   - patience: How long a client may take nothing of what is sent.
    ///   - memory: Told when connections come and go.
    init(patience: Duration, memory: MemoryKeeper) {
        self.patience = .nanoseconds(patience.wholeNanoseconds)
        self.memory = memory
    }

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

    func handlerAdded(context: ChannelHandlerContext) {
        memory.connectionOpened()
        // One that has ended already refuses it, and needs none.
        try? context.channel.syncOptions?.setOption(Self.unsentLimit, value: Self.mostUnsent)
        do {
            try HTTPVersions.install(in: context.pipeline)
        } catch {
            preconditionFailure("a connection's pipeline has no codec: \(error)")
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { state.withLock { $0.unanswered += 1 } }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: state.withLock { $0.unanswered -= 1 }
        case .body:
            let sent = promise ?? context.eventLoop.makePromise()
            sent.futureResult.whenComplete { [progress] _ in progress.finish() }
            context.write(data, promise: sent)
            return watchSending(context.channel)
        case .end: break
        }
        context.write(data, promise: promise)
    }

    private func watchSending(_ channel: any Channel) {
        let isFirst = state.withLock { state in
            defer { state.isWatchingSending = true }
            return !state.isWatchingSending
        }
        if isFirst { watchSending(channel, since: nil) }
    }

    /// Looks again and again whether the client has taken anything, as long as something waits for it.
    private func watchSending(_ channel: any Channel, since last: Sending?) {
        guard channel.isActive, last == nil || progress.isUnderWay || !channel.isWritable else {
            state.withLock { $0.isWatchingSending = false }
            return
        }
        let left = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
        let now = Sending(done: progress.done, left: left)
        if now == last {
            channel.close(promise: nil)
            return
        }
        let look = channel.eventLoop.scheduleTask(in: patience) { [weak channel] in
            if let channel { self.watchSending(channel, since: now) }
        }
        state.withLock { $0.look = look }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { ask(context, after: Self.firstQuestion) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Finds out, as long as an answer has not begun, whether the client still waits for it.
    private func ask(_ context: ChannelHandlerContext, after time: TimeAmount) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let question = context.eventLoop.scheduleTask(in: time) { [self] in
            let context = bound.value
            guard context.channel.isActive, state.withLock({ $0.unanswered > 0 }) else { return }
            let interim = HTTPResponse(status: .init(code: 102, reasonPhrase: "Processing"))
            context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
            ask(context, after: time + time)
        }
        state.withLock { $0.question = question }
    }

    func channelInactive(context: ChannelHandlerContext) {
        clientHasGone()
        let scheduled = state.withLock { state in [state.look.take(), state.question.take()] }
        for task in scheduled { task?.cancel() }
        memory.connectionClosed(context.eventLoop)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        clientHasGone()
        context.fireErrorCaught(error)
    }

    private func clientHasGone() {
        progress.end()
        let work = state.withLock { state in
            state.isGone = true
            defer { state.work = [:] }
            return Array(state.work.values)
        }
        for cancellation in work { cancellation.cancel() }
        client.cancel()
    }
}
