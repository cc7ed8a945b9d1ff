import NIOCore
import NIOPosix
import Testing

@testable import SegueServer

extension OriginServer.Address {
    /// Sends a request that closes the connection after its response, and reads to the end.
    func exchange(_ request: String) async throws -> (head: String, body: [UInt8]) {
        var bytes: [UInt8] = []
        try await exchange(request + "Connection: close\r\n\r\n", isHalfClosed: false) { bytes += $0 }
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? bytes.endIndex
        return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[end...]))
    }

    /// Reads until the server closes the connection, which the client does not request.
    func wholeExchange(_ request: String) async throws -> String {
        var bytes: [UInt8] = []
        try await exchange(request, isHalfClosed: false) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads until the server closes or resets the connection; `first` is called with the first bytes of the response.
    func readToEnd(of request: String, _ first: () throws -> Void) async throws {
        var result: Result<Void, any Error>?
        do {
            try await exchange(request, isHalfClosed: false) { _ in
                if result == nil { result = Result(catching: first) }
            }
        } catch is IOError {
            // The rest of the response is lost.
        }
        try #require(result).get()
    }

    /// Half-closes the connection after the request and reads until the server closes it.
    func halfClosedExchange(_ request: String, _ read: (String) -> Void) async throws -> String {
        var text = ""
        try await exchange(request, isHalfClosed: true) { bytes in
            text += String(decoding: bytes, as: UTF8.self)
            read(text)
        }
        return text
    }

    /// Opens a connection that sends a text at once, when the server's timers start.
    ///
    /// The handlers are added before any data can arrive.
    func connection(
        sending text: String,
        isRead: Bool = true,
        readBy reader: (any ChannelInboundHandler & Sendable)? = nil
    ) async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: isRead)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let reader { try channel.pipeline.syncOperations.addHandler(reader) }
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .flatMap { channel in
                // The server may have closed it; only a sender has to know.
                guard !text.isEmpty else { return channel.eventLoop.makeSucceededFuture(channel) }
                return channel.writeAndFlush(ByteBuffer(string: text)).map { channel }
            }
            .get()
    }

    private func exchange(
        _ request: String,
        isHalfClosed: Bool,
        _ read: (ByteBufferView) -> Void
    ) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: isHalfClosed)
                    )
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            if isHalfClosed { outbound.finish() }
            for try await buffer in inbound { read(buffer.readableBytesView) }
        }
    }
}

extension Channel {
    /// Waits until it is closed; the test's time limit closes it.
    func waitForClose() async throws {
        try await withTaskCancellationHandler {
            try await closeFuture.get()
        } onCancel: {
            close(promise: nil)
        }
    }
}
