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
            headers: request.headers.map { (name: $0.name.rawName, value: $0.value) }
        )
        // HTTPTypes has the `Host` field as the authority.
        if let authority = request.head.authority { headers.append((name: "Host", value: authority)) }
    }
}

extension Response {
    init(_ response: OriginResponse, _ body: ResponseBody) {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        self.init(status: .init(code: response.status), headers: fields, body: body)
        // Hummingbird adds a length of 0 if there is no body, which is wrong for a 304.
        if response.header("Content-Length") == nil { headers[.contentLength] = nil }
    }
}

extension ResponseBody {
    init(inMemory body: OriginResponse.Body) {
        if case .bytes(let bytes) = body { self.init(byteBuffer: ByteBuffer(bytes: bytes)) } else { self.init() }
    }
}
