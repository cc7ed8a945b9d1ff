import SegueBase
import SegueByteCoding
import SegueData
import SegueEvents
import SegueNetworkModel
import SegueOrigin
import SegueProxy
import SegueServer

/// Runs links until a signal arrives.
struct LinkRun {
    /// The content codings that zlib decodes (RFC 9110, 8.4.1).
    private static let inflated = ["gzip", "x-gzip", "deflate"]

    let links: [LinkPlan]
    let harness: HarnessFolder
    let control: ListenAddress?
    /// Additional host names for requests to the control.
    let allowedHosts: [String]
    let log: String?
    let quiet: Bool

    /// Runs the links.
    ///
    /// - Throws: ``CommandFailure`` if it cannot listen or a server's name cannot be resolved.
    func run() async throws {
        let stream = try log.map { try LogStream($0) }
        let control = try control.map { ($0, try ControlPage(ProgramData.web())) }
        let quiet = quiet
        let observer = ProxyObserver(
            wantsRequests: stream != nil,
            event: { kind in
                stream?.write(kind)
                if !quiet, let line = Self.line(kind) { StandardError.write("segue: \(line)\n") }
            },
            line: { StandardError.write("segue: \($0)\n") },
            decoded: { bytes, coding, most in
                Self.inflated.contains(coding) ? Gzip.beginning(of: bytes, most: most) : nil
            }
        )
        do {
            let proxy = try LinkProxy(observer: observer, stopsOnSignals: true)
            var lines = ""
            for link in links {
                for (bound, route) in zip(try await proxy.add(link), link.routes) {
                    let way = route.server.map { "listening on \(bound) -> \($0)" } ?? "proxy on \(bound)"
                    lines += "\(way) over \(link.network.name)\n"
                }
            }
            if let (address, page) = control {
                try await serve(page, at: Endpoint(address), of: proxy, lines: lines)
            } else {
                StandardOutput.write(lines)
                await proxy.ended()
            }
        } catch let error as ProxyError {
            throw CommandFailure(error)
        }
        try stream?.end()
    }

    /// Serves the control until the proxy ends.
    private func serve(
        _ page: ControlPage,
        at endpoint: Endpoint,
        of proxy: LinkProxy,
        lines: String
    ) async throws {
        let hosts = AllowedHosts(listeningOn: endpoint.host, named: allowedHosts)
        let responder = ControlResponder(proxy: proxy, harness: harness, hosts: hosts, page: page)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await ControlServer.run(endpoint, responder: responder) { bound in
                    StandardOutput.write(lines + "control at http://\(bound)/\n")
                }
            }
            group.addTask { await proxy.ended() }
            try await group.next()
            group.cancelAll()
        }
    }

    /// The line for an event; nil for events shown in another way.
    private static func line(_ kind: EventKind) -> String? {
        switch kind {
        case .linkOpened(let link, let number, let client, let server):
            "\(link): connection \(number): \(client) -> \(server)"
        case .linkClosed(let link, let number, let reason, let down, let up, _):
            "\(link): connection \(number): \(reason), \(down) bytes down, \(up) up"
        case .linkFault(let link, let number, let url, let fault): "\(link): connection \(number): \(url): \(fault)"
        case .linkLateness(let link, let deliveries, _, let late, _):
            "\(link): 99 % of \(deliveries) deliveries within \(DecimalText.short(late * 1000)) ms of their time"
        case .linkChanged(let link, let network): "\(link): changed to \(network)"
        default: nil
        }
    }
}

extension Endpoint {
    init(_ address: ListenAddress) { self.init(host: address.host, port: address.port) }
}
