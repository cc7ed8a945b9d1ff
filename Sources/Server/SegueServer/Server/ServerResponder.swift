import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTP1
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// Passes requests from Hummingbird to the workers, and their responses back.
///
/// Requests without access get no further than the ``AccessGate``.
struct ServerResponder: HTTPResponder {
    typealias Context = ServerContext

    private let timeLimit: Duration
    private let gate: AccessGate?
    private let respond: OriginServer.Respond
    private let work: any RequestWork
    private let budget = SendingBudget()
    private let held = HeldBytes()
    private let makings: SharedPieces
    private let care: ConnectionServices
    private let words: ErrorWords

    init(
        _ configuration: OriginServer.Configuration,
        work: any RequestWork,
        care: ConnectionServices,
        respond: @escaping OriginServer.Respond
    ) {
        timeLimit = configuration.timeLimit
        (gate, words) = (configuration.door, configuration.words)
        makings = SharedPieces(timeLimit: configuration.timeLimit)
        self.work = work
        self.care = care
        self.respond = respond
    }

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let watch = try await context.channel.pipeline.handler(type: ConnectionMonitor.self).get()
        let turn = watch.exchanges.take()
        if case .refuse(let kind, let delay, let retry) = turn?.decision {
            // Until then nothing more is read from the connection.
            try await Task.sleep(for: delay)
            if let client = turn?.client {
                try await care.limiter.waitForTurn(FairShareLimiter.Cost.request, of: client)
            }
            var refusal = words.translated(
                OriginFailure(tooMuch: kind, retry: retry).response,
                for: request.headers
            )
            if request.method == .head { refusal.body = .empty }
            return Response(refusal, ResponseBody(inMemory: refusal.body))
        }
        guard request.headers[values: .hostField].allSatisfy({ $0 == request.head.authority }) else {
            let response = words.translated(OriginFailure.severalHosts.response, for: request.headers)
            return Response(response, ResponseBody(inMemory: response.body))
        }
        let address = turn?.client ?? ClientAddress(context.channel.remoteAddress)
        try await care.limiter.waitForTurn(FairShareLimiter.Cost.request, of: address)
        let received = received(request, context, from: address)
        switch await decision(on: received, request, from: address) {
        case .answered(let response):
            let response = words.translated(response, for: request.headers)
            return Response(response, ResponseBody(inMemory: response.body))
        case .letIn(let admitted):
            let admission = gate.map { Admission($0, to: received, of: admitted.visitor) }
            return try await response(to: admitted, request, watch, from: address, admission: admission)
        case .health(let admitted):
            return try await response(to: admitted, request, watch, from: address, admission: nil)
        }
    }

    /// The request as received, with what its connection shows about the client.
    private func received(
        _ request: Request,
        _ context: ServerContext,
        from address: ClientAddress
    ) -> OriginRequest {
        var origin = OriginRequest(request)
        let peer = ClientAddress(context.channel.remoteAddress)
        origin.address = address == .none ? "" : address.description
        origin.addressRange = address == .none ? "" : address.client.description
        origin.isForwarded = address != peer || care.limiter.isProxy(peer) || origin.hasForwardingFields
        return origin
    }

    private func decision(
        on received: OriginRequest,
        _ request: Request,
        from address: ClientAddress
    ) async -> AccessGate.Decision {
        guard let gate else { return .letIn(received) }
        return await gate.decide(received, from: address.client.description) { limit in
            Array(buffer: try await request.body.collect(upTo: limit))
        }
    }

    private func response(
        to admitted: OriginRequest,
        _ request: Request,
        _ watch: ConnectionMonitor,
        from address: ClientAddress,
        admission: Admission?
    ) async throws -> Response {
        var admitted = admitted
        let cancellation = Cancellation(deadline: .now + timeLimit)
        watch.watch(cancellation)
        defer { watch.forget(cancellation) }
        // A client that closes its connection after each response may come back.
        if admitted.headers[.connection]?.lowercased() != "close" { admitted.client = watch.client }
        let order = WorkOrder(admitted, client: address.client.description)
        var response: OriginResponse
        do throws(OriginFailure) {
            admitted.body = try await Self.body(of: request, admitted)
            let showsReport = admission != nil || gate == nil
            response = await self.response(
                to: admitted,
                order,
                cancellation,
                from: address,
                showsReport: showsReport && admitted.visitor.seesMetrics
            )
        } catch {
            response = error.response
        }
        response = words.translated(response, for: admitted.headers)
        if let gate { response = gate.finish(response) }
        let sender = sender(for: order, watch, address, admission: admission)
        do {
            return Response(response, try await sender.prepare(response.body, isHead: admitted.method == "HEAD"))
        } catch let failure as OriginFailure {
            let response = words.translated(failure.response, for: admitted.headers)
            return Response(response, try await sender.prepare(response.body))
        }
    }

    private func sender(
        for order: WorkOrder,
        _ watch: ConnectionMonitor,
        _ address: ClientAddress,
        admission: Admission?
    ) -> BodySender {
        BodySender(
            budget: budget,
            held: held,
            makings: makings,
            work: work,
            order: order,
            watch: watch,
            turn: { [limiter = care.limiter] count in
                try await limiter.waitForTurn(FairShareLimiter.Cost.piece(count), of: address)
                try await admission?.check()
            }
        )
    }

    private func response(
        to request: OriginRequest,
        _ order: WorkOrder,
        _ cancellation: Cancellation,
        from address: ClientAddress,
        showsReport: Bool
    ) async -> OriginResponse {
        // Health is reported even if all workers are busy.
        if request.routeName == .health {
            let response = respond(request, cancellation)
            return showsReport ? response.adding(work.report) : response.withoutReport
        }
        do throws(WorkerPool.Refusal) {
            let response = try await workersResponse(to: request, order, cancellation)
            return request.routeName == .metrics ? response.adding(metrics) : response
        } catch {
            if error == .tooMuch {
                // The sleep ends early if the client disconnects.
                try? await Task.sleep(for: care.limiter.refuse(.encodings, of: address))
            }
            return OriginFailure(error).response
        }
    }

    /// The response of the workers; a blocking reload is repeated when it is due, up to a bound.
    private func workersResponse(
        to request: OriginRequest,
        _ order: WorkOrder,
        _ cancellation: Cancellation
    ) async throws(WorkerPool.Refusal) -> OriginResponse {
        let response = try await work.respond(request, order: order, cancellation: cancellation)
        // A client that has waited is not refused because all others return at the same moment.
        var owed = order
        owed.isOwed = true
        return try await BlockingReload.settled(response, now: TimeText.now) { time in
            await BlockingReload.wait(until: time, now: TimeText.now(), cancellation)
        } again: { [owed] () async throws(WorkerPool.Refusal) -> OriginResponse in
            if cancellation.isCancelled { throw .cancelled }
            return try await work.respond(request, order: owed, cancellation: cancellation)
        }
    }

    /// Reads the body if the route reads bodies.
    ///
    /// A client that stops sending ends with its connection.
    private static func body(of request: Request, _ admitted: OriginRequest) async throws(OriginFailure) -> [UInt8] {
        guard let limit = admitted.bodyLimit else { return [] }
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

    /// The metrics of the workers, of bodies that are being sent, and of connections.
    private var metrics: MetricsText {
        var metrics = MetricsText()
        work.report.add(to: &metrics)
        metrics.add(
            "sending_bytes",
            as: .gauge,
            help: "Bytes sent to clients that have not received them yet.",
            budget.used
        )
        metrics.add(
            "sending_waiting",
            as: .gauge,
            help: "Connections that wait for the sending budget.",
            budget.waiting
        )
        metrics.add(
            "sending_held_bytes",
            as: .gauge,
            help: "Bytes in memory of bodies that are being sent, segments excluded.",
            held.count
        )
        care.add(to: &metrics)
        return metrics
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
