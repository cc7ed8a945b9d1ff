import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// A watch over a connection's client: its presence, and the rate at which it receives.
///
/// The work for a client that disconnects is cancelled. The connection of a client that receives too little for too
/// long is closed.
///
/// A client that disconnects sends a FIN, and so does one that half-closes the connection and waits for the response.
/// They differ in the reply to another byte: a client that has disconnected resets the connection. So if a response
/// takes long after a FIN, the client is sent an interim response (RFC 9110, section 15.2).
final class ConnectionMonitor: ChannelDuplexHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private struct State {
        var isGone = false
        var work: [ObjectIdentifier: Cancellation] = [:]
        /// True while a timer observes the unsent bytes.
        var isWatchingSending = false
        /// The timers for the next check of unsent bytes and for the next interim response.
        ///
        /// They keep their captures alive until they fire, so they are cancelled with the connection.
        var look: Scheduled<Void>?
        var question: Scheduled<Void>?
        /// The number of responses that have not begun.
        var unanswered = 0
        /// The number of bytes written.
        var written = 0
        /// True for a stream of HTTP/2.
        var isStream = false
        /// The number of bytes that a stream's client has received; a stream does not report unsent bytes.
        var taken = 0
    }

    /// The maximum number of bytes that the system buffers before they are sent.
    static let unsentBytes = 128 << 10
    /// The socket option for ``unsentBytes``; bytes in flight are not limited.
    ///
    /// By default Linux buffers as many bytes as a fast connection may have in flight, up to 4 MB: two gigabytes for
    /// 900 clients on the same machine that do not read.
    static let unsentLimit = ChannelOptions.tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
    /// The bytes of a piece after which a stream's client counts as receiving.
    private static let part = 32 << 10
    /// The delay between a FIN and the first interim response.
    private static let firstQuestion = TimeAmount.seconds(2)

    private let state = Mutex(State())
    private let memory: MemoryTrimmer
    let progress = SendingProgress()
    /// Cancelled when the client disconnects.
    let client = Cancellation()
    /// The requests of the connection whose responses have not ended.
    let exchanges: Exchanges
    /// The period over which the rate is measured, and the minimum number of bytes in it.
    private let patience: TimeAmount
    private let minimumTaken: Int

    /// - Parameters:
    ///   - patience: The period over which the rate is measured.
    ///   - minimumRate: The minimum rate in bytes per second; 0 for none.
    ///   - memory: Is notified of new and closed connections.
    ///   - exchanges: The requests of the connection.
    init(patience: TimeAmount, minimumRate: Int = 0, memory: MemoryTrimmer, exchanges: Exchanges = Exchanges()) {
        self.patience = patience
        minimumTaken = SendingSample.least(minimumRate, in: patience)
        self.memory = memory
        self.exchanges = exchanges
    }

    /// Cancels work when the client disconnects, or at once if it has.
    func watch(_ cancellation: Cancellation) {
        let isGone = state.withLock { state in
            if !state.isGone { state.work[ObjectIdentifier(cancellation)] = cancellation }
            return state.isGone
        }
        if isGone { cancellation.cancel() }
    }

    func forget(_ cancellation: Cancellation) {
        _ = state.withLock { $0.work.removeValue(forKey: ObjectIdentifier(cancellation)) }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        memory.connectionOpened()
        // A stream of HTTP/2 has a single version and no socket options; ``SecureChannel`` watches its connection.
        guard HTTPVersions.install(in: context.pipeline) else {
            state.withLock { $0.isStream = true }
            return
        }
        // A connection that has already ended refuses the option.
        try? context.channel.syncOptions?.setOption(Self.unsentLimit, value: Self.unsentBytes)
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

    /// Writes a piece for a stream in parts, except for the last one; a piece for a connection is one part.
    ///
    /// - Returns: The rest of the piece.
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

    /// Measures the received bytes periodically while some are unsent.
    private func watchSending(_ channel: any Channel, since last: SendingSample?) {
        guard channel.isActive, last == nil || progress.isUnderWay || !channel.isWritable else {
            state.withLock { $0.isWatchingSending = false }
            return
        }
        let (isStream, written, taken) = state.withLock { ($0.isStream, $0.written, $0.taken) }
        let left = isStream ? nil : try? channel.syncOptions?.getOption(.bufferedWritableBytes)
        let now = SendingSample(done: progress.done, taken: isStream ? taken : written - (left ?? 0), left: left)
        if let last, now.isTooLittle(after: last, least: minimumTaken) {
            channel.close(promise: nil)
            return
        }
        let look = channel.eventLoop.scheduleTask(in: patience) { [weak channel] in
            if let channel { self.watchSending(channel, since: now) }
        }
        state.withLock { $0.look = look }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // In HTTP/2 the end of a request closes the input of its stream; a client that disconnects resets it.
        if case ChannelEvent.inputClosed = event, !state.withLock({ $0.isStream }) {
            ask(context, after: Self.firstQuestion)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Sends interim responses until the response begins, to detect a disconnected client.
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
