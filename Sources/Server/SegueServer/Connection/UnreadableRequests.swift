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
        let answer = failure.response
        var fields = head.headerFields
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        context.write(wrapOutboundOut(.head(HTTPResponse(status: head.status, headerFields: fields))), promise: promise)
        guard case .bytes(let bytes) = answer.body else { return }
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: bytes))), promise: nil)
    }
}

extension OriginFailure {
    /// A malformed or incomplete request: 400.
    init(unreadable error: HTTPParserError) {
        let message = "the request cannot be read as HTTP/1.1: \(Self.words(error))"
        self.init(status: 400, code: "badRequest", message: message)
    }

    private static func words(_ error: HTTPParserError) -> String {
        switch error {
        case .headerOverflow: "its head is too long"
        case .invalidVersion: "its version is none that the server knows"
        case .invalidMethod: "its method is none"
        case .invalidURL: "its target is none"
        case .invalidHeaderToken: "a field of its head is no ‘name: value’"
        case .invalidContentLength, .unexpectedContentLength: "its Content-Length is no length, or is there twice"
        case .invalidChunkSize: "the size of a chunk of its body is none"
        case .closedConnection, .invalidEOFState: "it ends before it is whole"
        case .invalidCharactersUsed: "it has characters that are not allowed there"
        case .unknown: "its Transfer-Encoding is not chunked alone, or its form is wrong"
        default: "its form is wrong"
        }
    }
}
