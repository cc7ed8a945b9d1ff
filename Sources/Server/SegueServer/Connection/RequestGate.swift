import NIOCore
import NIOHTTP1

/// A limit of one request of a connection at a time: further bytes stay unread until the response has ended.
///
/// Parsing a request costs more than sending one. Without the limit the server would parse thousands of pipelined
/// requests. The bytes stay in the system's buffer, which stops the client; those that are already read are bounded.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The maximum number of held bytes, many times the size of usual pipelined requests.
    static let heldLimit = 32 << 10
    /// The maximum number of bytes in one read.
    private static let readLimit = 8 << 10

    private var held = ByteBuffer()
    /// The number of requests without a complete response.
    private var open = 0
    /// True while the rest of a request is missing.
    private var isWithinRequest = false
    private var isPassing = false
    private var wantsRead = false
    /// The end of the client's input, delivered after the held bytes.
    private var end: ChannelEvent?
    private var context: ChannelHandlerContext?

    /// Inserts a gate before the handler that parses requests.
    ///
    /// - Returns: The gate, or nil for a stream of HTTP/2.
    static func install(in pipeline: ChannelPipeline, of channel: any Channel) -> RequestGate? {
        let operations = pipeline.syncOperations
        guard let decoder = try? operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else {
            return nil
        }
        let gate = RequestGate()
        do {
            try operations.addHandler(gate, position: .before(decoder))
        } catch {
            preconditionFailure("cannot add a handler to a connection's pipeline: \(error)")
        }
        // A connection that has already ended refuses the option.
        try? channel.syncOptions?.setOption(
            .recvAllocator,
            value: AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 2048, maximum: readLimit)
        )
        return gate
    }

    func requestBegan() { (open, isWithinRequest) = (open + 1, true) }

    func requestEnded() { isWithinRequest = false }

    func answered() {
        // A malformed request gets a response without ever having begun.
        open = max(0, open - 1)
        if pass() { context?.fireChannelReadComplete() }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if held.readableBytes == 0 { held = bytes } else { held.writeBuffer(&bytes) }
        _ = pass()
        // The client sent more than a pipelining client reasonably does.
        if held.readableBytes > Self.heldLimit { context.close(promise: nil) }
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

    /// Passes on bytes of one request at a time.
    ///
    /// - Returns: True if there were some.
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

    /// The number of held bytes that belong to one request at most: up to an empty line, which ends a head.
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
