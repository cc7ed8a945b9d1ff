internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
package import SegueOrigin
internal import ServiceLifecycle

/// Serves a status page at `/`, and metrics for Prometheus at `/metrics`.
package enum BoardServer {
    /// The failure to listen.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Serves until the task is canceled.
    ///
    /// `port` is the port; 0 picks a free one. `hosts` are the host names that requests may use. `onReady` receives the
    /// port once requests are accepted.
    package static func run(
        _ board: StreamBoard,
        page: BoardPage,
        host: String,
        port: Int,
        hosts: AllowedHosts,
        onReady: @escaping @Sendable (Int) async -> Void
    ) async throws {
        let logger = Logger(label: "segue.watch") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            responder: Carrier(board: board, page: page, hosts: hosts),
            configuration: .init(address: .hostname(host, port: port), serverName: "segue"),
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? port) },
            logger: logger
        )
        do {
            try await ServiceGroup(configuration: .init(services: [application], logger: logger)).run()
        } catch is CancellationError {
            // Cancellation is the regular end.
        } catch {
            throw Failure(description: "\(host):\(port): cannot listen: \(error)")
        }
    }

    private struct Carrier: HTTPResponder {
        typealias Context = BasicRequestContext

        let board: StreamBoard
        let page: BoardPage
        let hosts: AllowedHosts

        func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
            guard hosts.allows(request.head.authority) else {
                return text("host name not allowed; restart with --allow-host\n", status: 403)
            }
            guard request.method == .get || request.method == .head else {
                return text("method not allowed; use GET\n", status: 405)
            }
            switch request.uri.path {
            case "/metrics": return text(board.metrics, type: "text/plain; version=0.0.4; charset=utf-8")
            case "/":
                let html = page.html(of: board, at: Date.now.timeIntervalSince1970)
                return text(html, type: "text/html; charset=utf-8")
            default: return text("not found; there are / and /metrics\n", status: 404)
            }
        }

        private func text(
            _ text: String,
            status: Int = 200,
            type: String = "text/plain; charset=utf-8"
        ) -> Response {
            var headers = HTTPFields([HTTPField(name: .contentType, value: type)])
            headers[.cacheControl] = "no-store"
            headers[.contentSecurityPolicy] = page.securityPolicy
            return Response(
                status: .init(code: status),
                headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(string: text))
            )
        }
    }
}
