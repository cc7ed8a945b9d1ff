import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import Synchronization

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
        /// How many bytes of answers have been written.
        var written = 0
        /// Whether it is a stream of HTTP/2, and not a connection.
        var isStream = false
        /// How many bytes a stream's client has taken: a stream does not tell how many wait.
        var taken = 0
    }

    /// How many bytes the system takes that are not on their way yet.
    static let mostUnsent = 128 << 10
    /// What sets it; nothing else of what is in flight is limited.
    ///
    /// By itself Linux takes as many bytes as a fast connection may have in flight, up to 4 MB: two gigabytes of its memory
    /// for 900 clients on the same machine that do not read.
    static let unsentLimit = ChannelOptions.tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
    /// How many bytes of a piece a stream's client has to take to count as taking something.
    private static let part = 32 << 10
    /// How long after a FIN the client is asked whether it is there, the first time.
    private static let firstQuestion = TimeAmount.seconds(2)

    private let state = Mutex(State())
    private let memory: MemoryKeeper
    /// How far the connection has come with what is sent.
    let progress = SendingProgress()
    /// Cancelled when the client goes.
    let client = Cancellation()
    /// What was asked on the connection and is not answered to its end.
    let exchanges: Exchanges
    /// How long a client may take nothing, and how many bytes in that time at the least.
    private let patience: TimeAmount
    private let leastTaken: Int

    /// A watch over one connection.
    ///
    /// - Parameters:
    ///   - patience: How long a client may take nothing of what is sent.
    ///   - minimumRate: How many bytes a second it takes in that time at the least; 0 for any.
    ///   - memory: Told when connections come and go.
    ///   - exchanges: What is asked on the connection.
    init(patience: TimeAmount, minimumRate: Int = 0, memory: MemoryKeeper, exchanges: Exchanges = Exchanges()) {
        self.patience = patience
        leastTaken = SendingWatch.least(minimumRate, in: patience)
        self.memory = memory
        self.exchanges = exchanges
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
        // A stream of HTTP/2 has one version and takes no options; its connection is looked after by ``SecureChannel``.
        guard HTTPVersions.install(in: context.pipeline) else {
            state.withLock { $0.isStream = true }
            return
        }
        // One that has ended already refuses it, and needs none.
        try? context.channel.syncOptions?.setOption(Self.unsentLimit, value: Self.mostUnsent)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { state.withLock { $0.unanswered += 1 } }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: state.withLock { $0.unanswered -= 1 }
        case .body(let piece):
            state.withLock { $0.written += piece.readableBytes }
            let sent = promise ?? context.eventLoop.makePromise()
            sent.futureResult.whenComplete { [progress] _ in progress.finish() }
            context.write(writingParts(of: piece, context), promise: sent)
            return watchSending(context.channel)
        case .end: break
        }
        context.write(data, promise: promise)
    }

    /// Writes all of a piece but its last part, for a stream; of a connection the piece is one part.
    ///
    /// - Returns: What is left to be written.
    private func writingParts(of piece: ByteBuffer, _ context: ChannelHandlerContext) -> NIOAny {
        var rest = piece
        guard state.withLock({ $0.isStream }) else { return wrapOutboundOut(.body(rest)) }
        while rest.readableBytes > Self.part, let part = rest.readSlice(length: Self.part) {
            let (taken, count) = (context.eventLoop.makePromise(of: Void.self), part.readableBytes)
            taken.futureResult.whenSuccess { [self] in state.withLock { $0.taken += count } }
            context.write(wrapOutboundOut(.body(part)), promise: taken)
        }
        return wrapOutboundOut(.body(rest))
    }

    private func watchSending(_ channel: any Channel) {
        let isFirst = state.withLock { state in
            defer { state.isWatchingSending = true }
            return !state.isWatchingSending
        }
        if isFirst { watchSending(channel, since: nil) }
    }

    /// Looks again and again how much the client has taken, as long as something waits for it.
    private func watchSending(_ channel: any Channel, since last: SendingWatch?) {
        guard channel.isActive, last == nil || progress.isUnderWay || !channel.isWritable else {
            state.withLock { $0.isWatchingSending = false }
            return
        }
        let (isStream, written, taken) = state.withLock { ($0.isStream, $0.written, $0.taken) }
        let left = isStream ? nil : try? channel.syncOptions?.getOption(.bufferedWritableBytes)
        let now = SendingWatch(done: progress.done, taken: isStream ? taken : written - (left ?? 0), left: left)
        if let last, now.isTooLittle(after: last, least: leastTaken) {
            channel.close(promise: nil)
            return
        }
        let look = channel.eventLoop.scheduleTask(in: patience) { [weak channel] in
            if let channel { self.watchSending(channel, since: now) }
        }
        state.withLock { $0.look = look }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // In HTTP/2 the end of a request closes its stream's input, and one that goes says so.
        if case ChannelEvent.inputClosed = event, !state.withLock({ $0.isStream }) {
            ask(context, after: Self.firstQuestion)
        }
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
