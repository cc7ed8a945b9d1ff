import HTTPTypes
import Hummingbird
import HummingbirdCore
import Media
import NIOCore

/// What a request brings along: its connection.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}

/// Carries requests from Hummingbird to the threads that answer them, and the answers back.
///
/// A password would be asked for here, before anything else is looked at.
struct ServerResponder: HTTPResponder {
    typealias Context = ServerContext

    /// The size of the blocks in which files are sent; each waits until the connection has taken the one before.
    private static let blockSize = 256 * 1024
    /// Bodies up to this size are handed over at once, copied on the thread that made them while they are in its cache;
    /// larger ones are copied piece by piece as the connection takes them.
    private static let pieceSize = 4 << 20

    private let timeLimit: Duration
    private let respond: OriginServer.Respond
    private let workers: WorkerPool
    /// Reads files and answers what needs no work, so that neither waits for somebody's transcoding.
    private let readers: WorkerPool

    init(_ configuration: OriginServer.Configuration, _ respond: @escaping OriginServer.Respond) {
        timeLimit = configuration.timeLimit
        self.respond = respond
        workers = WorkerPool(threads: configuration.threads, queueLimit: configuration.queueLimit, name: "origin")
        readers = WorkerPool(threads: 2, queueLimit: configuration.connectionLimit, name: "reader")
    }

    /// Ends the threads.
    func stop() {
        workers.stop()
        readers.stop()
    }

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let watch = try await context.channel.pipeline.handler(type: ConnectionWatch.self).get()
        let cancellation = Cancellation(deadline: .now + timeLimit)
        watch.watch(cancellation)
        defer { watch.forget(cancellation) }
        var question = OriginRequest(request)
        // One that ends its connection after each answer may well come again.
        if question.list("Connection")?.lowercased() != "close" { question.client = watch.client }
        let answer: OriginResponse
        var buffer: ByteBuffer?
        do {
            let pool = Self.isQuick(question) ? readers : workers
            (answer, buffer) = try await pool.run(cancellation) { [respond, question] in
                let answer = respond(question, cancellation)
                return (answer, Self.buffer(of: answer.body))
            }
        } catch .full {
            answer = OriginFailure.overloaded.response
        } catch .cancelled {
            answer = OriginFailure.cancelled.response
        }
        return try await response(answer, buffer, isHead: question.method == "HEAD", watch)
    }

    /// A body's bytes as they are sent; nil where they are sent piece by piece.
    private static func buffer(of body: OriginResponse.Body) -> ByteBuffer? {
        guard case .bytes(let bytes) = body, bytes.count <= pieceSize else { return nil }
        return ByteBuffer(bytes: bytes)
    }

    /// Whether a request is answered from memory or with the file itself.
    private static func isQuick(_ request: OriginRequest) -> Bool {
        let path = request.target.prefix { $0 != "?" }
        return ["/", "/health", "/metrics"].contains(path) || path.hasSuffix("/original")
    }

    private func response(
        _ answer: OriginResponse,
        _ buffer: ByteBuffer?,
        isHead: Bool,
        _ watch: ConnectionWatch
    ) async throws -> Response {
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        var response = Response(
            status: .init(code: answer.status),
            headers: headers,
            body: isHead ? ResponseBody() : try await body(answer.body, buffer, watch)
        )
        // Hummingbird writes a length of 0 where there is no body, which would be wrong for a 304.
        if answer.header("Content-Length") == nil { response.headers[.contentLength] = nil }
        return response
    }

    private func body(
        _ body: OriginResponse.Body,
        _ buffer: ByteBuffer?,
        _ watch: ConnectionWatch
    ) async throws -> ResponseBody {
        let pieces: [OriginResponse.Body] = if case .pieces(let pieces) = body { pieces } else { [body] }
        if case .empty = body { return ResponseBody() }
        if case .endless(let body) = body {
            return ResponseBody { writer in
                var reading = body.open()
                defer { reading.close() }
                while let bytes = await reading.next() { try await writer.write(ByteBuffer(bytes: bytes)) }
                try await writer.finish(nil)
            }
        }
        if let buffer { return ResponseBody(byteBuffer: buffer) }
        // Opened before the head is sent: a file that has just gone is an error, not an empty body.
        var readers: [String: FileReader] = [:]
        for case .file(let path, _, _) in pieces where readers[path] == nil {
            readers[path] = try await read { () throws(FileReader.Failure) in try FileReader(path: path) }
        }
        return ResponseBody(contentLength: Int(body.length)) { [self, readers] writer in
            for piece in pieces {
                if case .bytes(let bytes) = piece {
                    for part in Self.parts(bytes.count) { try await writer.write(ByteBuffer(bytes: bytes[part])) }
                }
                if case .made(let body, let range) = piece {
                    for number in body.pieces(in: range) {
                        let bytes = try await make(number, of: body, in: range, watch)
                        for part in Self.parts(bytes.count) { try await writer.write(ByteBuffer(bytes: bytes[part])) }
                    }
                }
                guard case .file(let path, var position, let length) = piece, let reader = readers[path] else {
                    continue
                }
                let end = position + length
                while position < end {
                    let start = position
                    let count = Int(min(Int64(Self.blockSize), end - start))
                    let block = try await read { () throws(FileReader.Failure) in try reader.read(count, at: start) }
                    try await writer.write(ByteBuffer(bytes: block))
                    position += Int64(count)
                }
            }
            try await writer.finish(nil)
        }
    }

    /// The parts in which so many bytes are sent.
    private static func parts(_ count: Int) -> [Range<Int>] {
        stride(from: 0, to: count, by: pieceSize).map { $0..<min(count, $0 + pieceSize) }
    }

    /// Makes a piece of a body on a thread that may block; a client that goes stops it.
    private func make(
        _ number: Int,
        of body: PiecewiseBody,
        in range: Range<Int64>,
        _ watch: ConnectionWatch
    ) async throws -> [UInt8] {
        let cancellation = Cancellation(deadline: .now + timeLimit)
        watch.watch(cancellation)
        defer { watch.forget(cancellation) }
        return try await workers.run(cancellation) {
            Result { try body.bytes(ofPiece: number, in: range, cancellation: cancellation) }
        }.get()
    }

    /// Reads on a thread that may block.
    private func read<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileReader.Failure) -> Value
    ) async throws -> Value {
        let result: Result<Value, FileReader.Failure> = try await readers.run(Cancellation()) {
            do throws(FileReader.Failure) {
                return .success(try work())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension OriginRequest {
    /// The request in terms of this server.
    fileprivate init(_ request: Request) {
        self.init(
            method: request.method.rawValue,
            target: request.head.path ?? "/",
            headers: request.headers.map { (name: $0.name.rawName, value: $0.value) }
        )
        // HTTP types keep the `Host` field apart, as the authority.
        if let authority = request.head.authority { headers.append((name: "Host", value: authority)) }
    }
}
