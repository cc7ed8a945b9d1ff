internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
package import SegueProxy
internal import ServiceLifecycle

/// The HTTP server of the control API, built on Hummingbird.
package enum ControlServer {
    private static let bodyLimit = 1 << 20

    /// Serves until the task is cancelled.
    ///
    /// - Parameters:
    ///   - endpoint: The address; port 0 for a free one.
    ///   - onReady: Called with the address once requests are accepted.
    /// - Throws: ``ProxyError`` if the server cannot listen.
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
            // A cancelled task is a regular stop.
        } catch {
            throw ProxyError(listening: (error as? IOError)?.errnoCode, on: endpoint, otherwise: "\(error)")
        }
    }

    private struct Carrier: HTTPResponder {
        typealias Context = BasicRequestContext

        let responder: ControlResponder

        func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
            let body = try await request.body.collect(upTo: ControlServer.bodyLimit)
            let response = await responder.respond(
                to: ControlRequest(
                    request.method.rawValue,
                    request.uri.string,
                    body: String(buffer: body),
                    host: request.head.authority,
                    isForeign: Self.isForeign(request)
                )
            )
            var headers = HTTPFields([HTTPField(name: .contentType, value: response.type)])
            headers[.cacheControl] = "no-store"
            headers[.contentSecurityPolicy] = response.securityPolicy
            return Response(
                status: .init(code: response.status),
                headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body))
            )
        }

        /// Returns true if the browser declares that a page of another origin sent the request.
        private static func isForeign(_ request: Request) -> Bool {
            guard let origin = request.headers[.origin], let host = request.head.authority else { return false }
            return !origin.hasSuffix("//" + host)
        }
    }
}
