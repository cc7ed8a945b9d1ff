import HTTPTypes
import Hummingbird
import HummingbirdCore
import Media
import NIOCore
import Origin

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
/// A password would be asked for here, before anything else is looked at.
struct ServerResponder: HTTPResponder {
    typealias Context = ServerContext

    private let timeLimit: Duration
    private let respond: OriginServer.Respond
    private let work: any RequestWork
    private let budget = SendingBudget()
    private let held = HeldBytes()
    private let makings: PieceMakings

    init(
        _ configuration: OriginServer.Configuration,
        _ work: any RequestWork,
        _ respond: @escaping OriginServer.Respond
    ) {
        timeLimit = configuration.timeLimit
        makings = PieceMakings(timeLimit: configuration.timeLimit)
        self.work = work
        self.respond = respond
    }

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let watch = try await context.channel.pipeline.handler(type: ConnectionWatch.self).get()
        let cancellation = Cancellation(deadline: .now + timeLimit)
        watch.watch(cancellation)
        defer { watch.forget(cancellation) }
        var question = OriginRequest(request)
        // One that ends its connection after each answer may well come again.
        if question.list("Connection")?.lowercased() != "close" { question.client = watch.client }
        let order = WorkOrder(question, client: context.channel.remoteAddress?.ipAddress ?? "")
        var answer = await answer(question, order, cancellation)
        let sender = BodySender(
            budget: budget,
            held: held,
            makings: makings,
            work: work,
            order: order,
            watch: watch
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
        _ cancellation: Cancellation
    ) async -> OriginResponse {
        // Health is told whatever the workers are at.
        if Self.asksForHealth(question) { return respond(question, cancellation).telling(work.report) }
        do throws(WorkerPool.Refusal) {
            let answer = try await work.answer(question, order, cancellation)
            return Self.asksForFigures(question) ? answer.telling(work.report, budget, held) : answer
        } catch {
            return OriginFailure(error).response
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
    /// The answer on a server's health with what its workers are at.
    fileprivate func telling(_ report: WorkReport) -> OriginResponse {
        guard status == 200 else { return self }
        var answer = self
        let text = Array("\(report.isFree ? "ok" : "busy")\n\(report.text)".utf8)
        answer.set("Content-Length", "\(text.count)")
        answer.body = .bytes(text)
        return answer
    }

    /// The answer on a server's figures with those of its workers and of what it sends.
    fileprivate func telling(_ report: WorkReport, _ budget: SendingBudget, _ held: HeldBytes) -> OriginResponse {
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
        var answer = self
        let length = header("Content-Length").flatMap { Int($0) } ?? 0
        answer.set("Content-Length", "\(length + figures.text.utf8.count)")
        if case .bytes(let bytes) = body { answer.body = .bytes(bytes + Array(figures.text.utf8)) }
        return answer
    }

}

extension OriginFailure {
    fileprivate init(_ refusal: WorkerPool.Refusal) {
        switch refusal {
        case .full: self = .overloaded
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
