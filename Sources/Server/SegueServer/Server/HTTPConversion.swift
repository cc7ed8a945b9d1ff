import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import SegueOrigin

extension OriginRequest {
    /// The request without Hummingbird's types.
    init(_ request: Request) {
        self.init(
            method: request.method.rawValue,
            target: request.head.path ?? "/",
            headers: request.headers
        )
        // HTTPTypes has the `Host` field as the authority.
        if let authority = request.head.authority { headers[.hostField] = authority }
    }
}

extension Response {
    init(_ response: OriginResponse, _ body: ResponseBody) {
        self.init(status: .init(code: response.status), headers: response.headers, body: body)
        // Hummingbird adds a length of 0 if there is no body, which is wrong for a 304.
        if response.headers[.contentLength] == nil { headers[.contentLength] = nil }
    }
}

extension ResponseBody {
    init(inMemory body: OriginResponse.Body) {
        if case .bytes(let bytes) = body { self.init(byteBuffer: ByteBuffer(bytes: bytes)) } else { self.init() }
    }
}
