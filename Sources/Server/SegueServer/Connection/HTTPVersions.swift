import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Gives each version of HTTP its own: a client of HTTP/1.0 gets an answer without chunks and without interim ones, the
/// end of which is that of the connection; and a connection whose end is asked for in any spelling does end.
///
/// A request whose body's end servers may see in different places (RFC 9112, 6.1: a transfer coding in HTTP/1.0, or
/// another than chunked) is none: who sees it elsewhere would take what is in the body for a request.
///
/// Behind it, where HTTP types stand for requests, nothing tells the versions apart.
final class HTTPVersions: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What matters of a request that has not been answered.
    private struct Asked {
        var isOld: Bool
        var endsConnection: Bool
    }

    private var asked: [Asked] = []
    /// Whether what comes now has no end that is known.
    private var isEndless = false

    /// Puts one before the handler that makes HTTP types of requests.
    ///
    /// - Returns: False where there is none, as in a stream of HTTP/2.
    static func install(in pipeline: ChannelPipeline) -> Bool {
        guard let codec = try? pipeline.syncOperations.handler(type: HTTP1ToHTTPServerCodec.self) else { return false }
        do {
            try pipeline.syncOperations.addHandler(HTTPVersions(), position: .before(codec))
        } catch {
            preconditionFailure("a connection's pipeline takes no handler: \(error)")
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
