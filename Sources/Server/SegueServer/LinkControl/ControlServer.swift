internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
package import SegueProxy
internal import ServiceLifecycle

/// The HTTP server of a proxy's control: Hummingbird around ``ControlResponder``.
package enum ControlServer {
    private static let bodyLimit = 1 << 20

    /// Serves until the task is cancelled.
    ///
    /// - Parameters:
    ///   - endpoint: Where to listen; port 0 picks a free one.
    ///   - responder: What answers.
    ///   - onReady: Called once requests are accepted, with the address.
    /// - Throws: ``ProxyError`` when it cannot listen.
    package static func run(
        _ endpoint: Endpoint,
        responder: ControlResponder,
        onReady: @escaping @Sendable (Endpoint) async -> Void
    ) async throws {
        let logger = Logger(label: "segue.control") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            responder: Carrier(responder: responder),
            configuration: .init(address: .hostname(endpoint.host, port: endpoint.port), serverName: "segue"),
            onServerRunning: { channel in
                await onReady(Endpoint(host: endpoint.host, port: channel.localAddress?.port ?? endpoint.port))
            },
            logger: logger
        )
        do {
            try await ServiceGroup(configuration: .init(services: [application], logger: logger)).run()
        } catch is CancellationError {
            // This is how it is told to stop.
        } catch {
            throw ProxyError(listening: (error as? IOError)?.errnoCode, on: endpoint, otherwise: "\(error)")
        }
    }

    /// Carries requests from Hummingbird to the responder.
    private struct Carrier: HTTPResponder {
        typealias Context = BasicRequestContext

        let responder: ControlResponder

        func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
            let body = try await request.body.collect(upTo: ControlServer.bodyLimit)
            let answer = await responder.respond(
                to: ControlRequest(
                    request.method.rawValue,
                    request.uri.string,
                    body: String(buffer: body),
                    host: request.head.authority,
                    isForeign: Self.isForeign(request)
                )
            )
            var headers = HTTPFields([HTTPField(name: .contentType, value: answer.type)])
            headers[.cacheControl] = "no-store"
            headers[.contentSecurityPolicy] = answer.securityPolicy
            return Response(
                status: .init(code: answer.status),
                headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
            )
        }

        /// Whether the browser says that a page of another server asks.
        private static func isForeign(_ request: Request) -> Bool {
            guard let origin = request.headers[.origin], let host = request.head.authority else { return false }
            return !origin.hasSuffix("//" + host)
        }
    }
}
