import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import SegueOrigin

/// A JSON body for the 400 that Hummingbird sends in response to malformed requests.
///
/// Hummingbird sends it in turn, with an empty body, and closes the connection.
final class UnreadableRequests: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The error of the request that ends the connection.
    private var failure: OriginFailure?

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError { failure = OriginFailure(unreadable: error) }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let failure, case .head(let head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headerFields[.contentLength] == "0"
        else { return context.write(data, promise: promise) }
        let response = failure.response
        var fields = head.headerFields
        for field in response.headers { fields[field.name] = field.value }
        context.write(wrapOutboundOut(.head(HTTPResponse(status: head.status, headerFields: fields))), promise: promise)
        guard case .bytes(let bytes) = response.body else { return }
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: bytes))), promise: nil)
    }
}

extension OriginFailure {
    /// A malformed or incomplete request: 400.
    init(unreadable error: HTTPParserError) {
        let message: ErrorSentence = "the request is malformed: \(Self.words(error))"
        self.init(status: 400, code: "badRequest", message: message)
    }

    /// A request that names several hosts, of which a proxy and the server might evaluate different ones (RFC 9112,
    /// section 3.2).
    static let severalHosts = OriginFailure(
        status: 400,
        code: "badRequest",
        message: "the request is malformed: \("it names several hosts" as ErrorSentence)"
    )

    private static func words(_ error: HTTPParserError) -> ErrorSentence {
        switch error {
        case .headerOverflow: "its head is too long"
        case .invalidVersion: "its HTTP version is not supported"
        case .invalidMethod: "its method is invalid"
        case .invalidURL: "its target is invalid"
        case .invalidHeaderToken: "a header field is not of the form 'name: value'"
        case .invalidContentLength, .unexpectedContentLength: "its Content-Length is not a number, or is repeated"
        case .invalidChunkSize: "the size of a chunk is not a number"
        case .closedConnection, .invalidEOFState: "it is incomplete"
        case .invalidCharactersUsed: "it contains forbidden characters"
        case .unknown: "its Transfer-Encoding is not 'chunked', or its syntax is invalid"
        default: "its syntax is invalid"
        }
    }
}
