import NIOCore
import NIOHTTP1

/// Lets one request of a connection through at a time: the bytes of the next wait, unread, until it is answered.
///
/// Reading a request costs more than sending one. A client that sends thousands without waiting for an answer would have
/// them all read, at the latest when it ends the connection, as what came before the end is then read at once. Here the
/// bytes stay in the system, which stops the client; what has come all the same is bounded.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// How many bytes may wait here: what a client sends ahead in earnest fits many times.
    static let mostHeld = 32 << 10
    /// How many bytes are read from the system at once.
    private static let mostRead = 8 << 10

    private var held = ByteBuffer()
    /// Requests whose head was read and that are not answered.
    private var open = 0
    /// Whether the rest of a request is still to come.
    private var isWithinRequest = false
    private var isPassing = false
    private var wantsRead = false
    /// The end of the client's input, which comes after what waits.
    private var end: ChannelEvent?
    private var context: ChannelHandlerContext?

    /// Puts one before the handler that reads requests from bytes.
    ///
    /// - Returns: Nil where there is none, as in a stream of HTTP/2.
    static func install(in pipeline: ChannelPipeline, of channel: any Channel) -> RequestGate? {
        let operations = pipeline.syncOperations
        guard let decoder = try? operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else {
            return nil
        }
        let gate = RequestGate()
        do {
            try operations.addHandler(gate, position: .before(decoder))
        } catch {
            preconditionFailure("a connection's pipeline takes no handler: \(error)")
        }
        // One that has ended already refuses it, and needs none.
        try? channel.syncOptions?.setOption(
            .recvAllocator,
            value: AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 2048, maximum: mostRead)
        )
        return gate
    }

    /// Says that the head of a request was read.
    func requestBegan() { (open, isWithinRequest) = (open + 1, true) }

    /// Says that all of a request was read.
    func requestEnded() { isWithinRequest = false }

    /// Says that a request was answered.
    func answered() {
        // What is no HTTP is answered without ever having been a request.
        open = max(0, open - 1)
        if pass() { context?.fireChannelReadComplete() }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if held.readableBytes == 0 { held = bytes } else { held.writeBuffer(&bytes) }
        _ = pass()
        // It asked for more at once than anybody reads answers to.
        if held.readableBytes > Self.mostHeld { context.close(promise: nil) }
    }

    func read(context: ChannelHandlerContext) {
        if held.readableBytes > 0 { wantsRead = true } else { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed, held.readableBytes > 0 {
            end = event
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        held.clear()
        context.fireChannelInactive()
    }

    /// Passes on what may be read now, a request at a time.
    ///
    /// - Returns: Whether there was something.
    private func pass() -> Bool {
        guard !isPassing, let context else { return false }
        isPassing = true
        defer { isPassing = false }
        var hasPassed = false
        while held.readableBytes > 0, open == 0 || isWithinRequest {
            guard let next = held.readSlice(length: lengthOfNext()) else { break }
            hasPassed = true
            context.fireChannelRead(wrapInboundOut(next))
        }
        guard held.readableBytes == 0 else { return hasPassed }
        held = ByteBuffer()
        if let end {
            self.end = nil
            context.fireUserInboundEventTriggered(end)
        }
        if wantsRead {
            wantsRead = false
            context.read()
        }
        return hasPassed
    }

    /// How many of the bytes that wait are no more than the rest of one request: up to an empty line, which ends a head.
    private func lengthOfNext() -> Int {
        let bytes = held.readableBytesView
        var place = bytes.startIndex
        while let found = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) {
            place = found + 1
            let before = bytes[..<found].suffix(3)
            if before.elementsEqual([13, 10, 13]) { return place - bytes.startIndex }
        }
        return bytes.count
    }
}
