internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
package import SegueOrigin
internal import ServiceLifecycle

/// Shows a board of streams over HTTP: a page at `/`, and figures for Prometheus at `/metrics`.
package enum BoardServer {
    /// Why it cannot listen.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameters:
    ///   - board: The board.
    ///   - page: The page at `/`.
    ///   - host: The address to listen on.
    ///   - port: The port; 0 picks a free one.
    ///   - hosts: The names that it answers to.
    ///   - onReady: Called once requests are accepted, with the port.
    /// - Throws: ``Failure`` when it cannot listen.
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
            // This is how it is told to stop.
        } catch {
            throw Failure(description: "\(host):\(port): cannot be listened on: \(error)")
        }
    }

    private struct Carrier: HTTPResponder {
        typealias Context = BasicRequestContext

        let board: StreamBoard
        let page: BoardPage
        let hosts: AllowedHosts

        func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
            guard hosts.allows(request.head.authority) else { return text("another host is asked\n", status: 403) }
            guard request.method == .get || request.method == .head else { return text("only GET\n", status: 405) }
            switch request.uri.path {
            case "/metrics": return text(board.metrics, type: "text/plain; version=0.0.4; charset=utf-8")
            case "/": return text(page.html(of: board), type: "text/html; charset=utf-8")
            default: return text("there is / and /metrics\n", status: 404)
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
