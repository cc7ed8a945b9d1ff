import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTP1
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// What a request brings along: its connection.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}

/// Carries requests from Hummingbird to those who answer them, and the answers back.
///
/// Whoever may not come in gets no further than the ``Door``.
struct ServerResponder: HTTPResponder {
    typealias Context = ServerContext

    private let timeLimit: Duration
    private let door: Door?
    private let respond: OriginServer.Respond
    private let work: any RequestWork
    private let budget = SendingBudget()
    private let held = HeldBytes()
    private let makings: PieceMakings
    private let care: ConnectionCare

    init(
        _ configuration: OriginServer.Configuration,
        _ work: any RequestWork,
        _ care: ConnectionCare,
        _ respond: @escaping OriginServer.Respond
    ) {
        timeLimit = configuration.timeLimit
        door = configuration.door
        makings = PieceMakings(timeLimit: configuration.timeLimit)
        self.work = work
        self.care = care
        self.respond = respond
    }

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let watch = try await context.channel.pipeline.handler(type: ConnectionWatch.self).get()
        let turn = watch.exchanges.take()
        if case .refuse(let kind, let after, let retry) = turn?.decision {
            // Nothing more is read of the connection until then.
            try await Task.sleep(for: after)
            if let client = turn?.client { try await care.doorkeeper.waitForTurn(CrowdShare.Cost.request, of: client) }
            let answer = OriginFailure(tooMuch: kind, retry: retry).response
            let body = if case .bytes(let bytes) = answer.body { ByteBuffer(bytes: bytes) } else { ByteBuffer() }
            let sent = request.method == .head ? ResponseBody() : ResponseBody(byteBuffer: body)
            return Response(status: .tooManyRequests, headers: HTTPFields(answer.headers), body: sent)
        }
        let address = turn?.client ?? ClientAddress(context.channel.remoteAddress)
        try await care.doorkeeper.waitForTurn(CrowdShare.Cost.request, of: address)
        let client = address.client.description
        var question = OriginRequest(request)
        question.address = context.channel.remoteAddress?.ipAddress ?? ""
        var tellsAll = true
        if let door {
            let decision = await door.decide(question, from: client) { most in
                Array(buffer: try await request.body.collect(upTo: most))
            }
            switch decision {
            case .letIn(let letIn): question = letIn
            case .health(let asked): (question, tellsAll) = (asked, false)
            case .answered(let answer): return Response(answer)
            }
        }
        let cancellation = Cancellation(deadline: .now + timeLimit)
        watch.watch(cancellation)
        defer { watch.forget(cancellation) }
        // One that ends its connection after each answer may well come again.
        if question.list("Connection")?.lowercased() != "close" { question.client = watch.client }
        let order = WorkOrder(question, client: client)
        var answer: OriginResponse
        do throws(OriginFailure) {
            question.body = try await Self.body(of: request, question)
            answer = await self.answer(
                question,
                order,
                cancellation,
                from: address,
                tellsAll: tellsAll && question.visitor.seesAll
            )
        } catch {
            answer = error.response
        }
        if let door { answer = door.finish(answer) }
        let sender = BodySender(
            budget: budget,
            held: held,
            makings: makings,
            work: work,
            order: order,
            watch: watch,
            turn: { [doorkeeper = care.doorkeeper] count in
                try await doorkeeper.waitForTurn(CrowdShare.Cost.piece(count), of: address)
            }
        )
        let body: ResponseBody
        do {
            body = question.method == "HEAD" ? ResponseBody() : try await sender.prepare(answer.body)
        } catch let failure as OriginFailure {
            answer = failure.response
            body = try await sender.prepare(answer.body)
        }
        var response = Response(status: .init(code: answer.status), headers: HTTPFields(answer.headers), body: body)
        // Hummingbird writes a length of 0 where there is no body, which would be wrong for a 304.
        if answer.header("Content-Length") == nil { response.headers[.contentLength] = nil }
        return response
    }

    private func answer(
        _ question: OriginRequest,
        _ order: WorkOrder,
        _ cancellation: Cancellation,
        from address: ClientAddress,
        tellsAll: Bool
    ) async -> OriginResponse {
        // Health is told whatever the workers are at.
        if Self.asksForHealth(question) {
            let answer = respond(question, cancellation)
            return tellsAll ? answer.telling(work.report) : answer.tellingNothingMore
        }
        do throws(WorkerPool.Refusal) {
            let answer = try await answer(question, order, cancellation)
            return Self.asksForFigures(question) ? answer.telling(work.report, budget, held, care) : answer
        } catch {
            if error == .tooMuch {
                // One who has gone waits no longer, and gets nothing.
                try? await Task.sleep(for: care.doorkeeper.refuse(.encodings, of: address))
            }
            return OriginFailure(error).response
        }
    }

    /// The answer of those who answer; what is held back is asked for again when it is time.
    private func answer(
        _ question: OriginRequest,
        _ order: WorkOrder,
        _ cancellation: Cancellation
    ) async throws(WorkerPool.Refusal) -> OriginResponse {
        var answer = try await work.answer(question, order, cancellation)
        // Whoever has waited so long is not sent away because all others have come at the same moment.
        var owed = order
        owed.isOwed = true
        while let time = answer.heldUntil {
            await HeldAnswer.wait(until: time, now: TimeText.now(), cancellation)
            if cancellation.isCancelled { throw .cancelled }
            answer = try await work.answer(question, owed, cancellation)
        }
        return answer
    }

    /// What a request brings along, where that is looked at; a client that stops sending ends with its connection.
    private static func body(of request: Request, _ question: OriginRequest) async throws(OriginFailure) -> [UInt8] {
        guard let limit = Responder.bodyLimit(of: question) else { return [] }
        do {
            return Array(buffer: try await request.body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw .bodyTooLong(limit: limit)
        } catch let error as HTTPParserError {
            throw OriginFailure(unreadable: error)
        } catch {
            throw .cancelled
        }
    }

    private static func asksForHealth(_ request: OriginRequest) -> Bool {
        request.target.prefix { $0 != "?" } == "/health"
    }

    private static func asksForFigures(_ request: OriginRequest) -> Bool {
        request.target.prefix { $0 != "?" } == "/metrics"
    }
}

extension OriginResponse {
    /// The answer on a server's health for those who are not let in: its first line.
    fileprivate var tellingNothingMore: OriginResponse {
        guard case .bytes(let bytes) = body, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return self }
        var answer = self
        answer.body = .bytes(Array(bytes[...end]))
        answer.set("Content-Length", "\(end + 1)")
        return answer
    }

    /// The answer on a server's health with what its workers are at.
    fileprivate func telling(_ report: WorkReport) -> OriginResponse {
        guard status == 200 else { return self }
        var answer = self
        guard case .bytes(let told) = body else { return self }
        let rest = told.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        let text = Array("\(report.isFree ? "ok" : "busy")\n\(report.text)".utf8) + rest
        answer.set("Content-Length", "\(text.count)")
        answer.body = .bytes(text)
        return answer
    }

    /// The answer on a server's figures with those of its workers and of what it sends.
    fileprivate func telling(_ report: WorkReport, _ budget: SendingBudget, _ held: HeldBytes, _ care: ConnectionCare)
        -> OriginResponse
    {
        guard status == 200 else { return self }
        var figures = FigureText()
        report.add(to: &figures)
        figures.add("sending_bytes", .gauge, "Bytes on their way to clients that have not taken them.", budget.used)
        figures.add("sending_waiting", .gauge, "Connections that wait for room to send.", budget.waiting)
        figures.add(
            "sending_held_bytes",
            .gauge,
            "Bytes of other bodies than segments that are being sent.",
            held.count
        )
        care.add(to: &figures)
        var answer = self
        let length = header("Content-Length").flatMap { Int($0) } ?? 0
        answer.set("Content-Length", "\(length + figures.text.utf8.count)")
        if case .bytes(let bytes) = body { answer.body = .bytes(bytes + Array(figures.text.utf8)) }
        return answer
    }

}

extension Response {
    /// An answer whose bytes are at hand.
    fileprivate init(_ answer: OriginResponse) {
        var body = ResponseBody()
        if case .bytes(let bytes) = answer.body { body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)) }
        self.init(status: .init(code: answer.status), headers: HTTPFields(answer.headers), body: body)
        if answer.header("Content-Length") == nil { headers[.contentLength] = nil }
    }
}

extension OriginFailure {
    fileprivate init(_ refusal: WorkerPool.Refusal) {
        switch refusal {
        case .full: self = .overloaded
        case .tooMuch: self.init(tooMuch: .encodings, retry: .seconds(1))
        case .cancelled: self = .cancelled
        case .hung: self = .standingStill
        }
    }
}

extension HTTPFields {
    fileprivate init(_ headers: [(name: String, value: String)]) {
        self.init()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
        }
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
