import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Gives each version of HTTP its own: a client of HTTP/1.0 gets an answer without chunks and without interim ones, the
/// end of which is that of the connection; and a connection whose end is asked for in any spelling does end.
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

    /// Puts one before the handler that makes HTTP types of requests.
    static func install(in pipeline: ChannelPipeline) throws {
        let codec = try pipeline.syncOperations.handler(type: HTTP1ToHTTPServerCodec.self)
        try pipeline.syncOperations.addHandler(HTTPVersions(), position: .before(codec))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = (head.version.major, head.version.minor) < (1, 1)
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
