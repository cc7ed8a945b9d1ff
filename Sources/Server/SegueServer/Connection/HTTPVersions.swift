import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The differences between HTTP versions: a client of HTTP/1.0 gets a response without chunks and interim responses
/// that ends with the connection; `Connection: close` in any spelling ends the connection.
///
/// A request whose length servers may judge differently (RFC 9112, section 6.1: a transfer coding in HTTP/1.0, or
/// another than chunked) is rejected, against request smuggling.
///
/// Later handlers use HTTPTypes, which do not contain the version.
final class HTTPVersions: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The relevant properties of a request without a response.
    private struct Asked {
        var isOld: Bool
        var endsConnection: Bool
    }

    private var asked: [Asked] = []
    /// True if the response has no known length.
    private var isEndless = false

    /// Inserts a handler before the conversion to HTTPTypes.
    ///
    /// - Returns: False for a stream of HTTP/2, which has no such conversion.
    static func install(in pipeline: ChannelPipeline) -> Bool {
        guard let codec = try? pipeline.syncOperations.handler(type: HTTP1ToHTTPServerCodec.self) else { return false }
        do {
            try pipeline.syncOperations.addHandler(HTTPVersions(), position: .before(codec))
        } catch {
            preconditionFailure("cannot add a handler to a connection's pipeline: \(error)")
        }
        return true
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEndless else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = (head.version.major, head.version.minor) < (1, 1)
        let codings = head.headers[canonicalForm: "Transfer-Encoding"]
        isEndless = !codings.isEmpty && (isOld || codings.map { $0.lowercased() } != ["chunked"])
        guard !isEndless else { return context.fireErrorCaught(HTTPParserError.unknown) }
        let endsConnection = isOld || !head.isKeepAlive
        asked.append(Asked(isOld: isOld, endsConnection: endsConnection))
        if endsConnection { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            guard let asked = asked.first else { break }
            if head.status.code < 200 {
                guard asked.isOld else { break }
                promise?.succeed()
                return
            }
            if asked.isOld { head.version = .http1_0 }
            if asked.endsConnection { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: break
        case .end: if !asked.isEmpty { asked.removeFirst() }
        }
        context.write(data, promise: promise)
    }
}
