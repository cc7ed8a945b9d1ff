internal import Foundation
internal import SegueBase
package import SegueData
internal import SegueNetworkModel
package import SegueOrigin
package import SegueProxy

/// A responder that shows links and changes them while traffic flows.
package struct ControlResponder: Sendable {
    let proxy: LinkProxy
    private let harness: HarnessFolder
    private let hosts: AllowedHosts
    private let page: ControlPage

    /// - Parameters:
    ///   - harness: The folder of named networks.
    ///   - hosts: The hosts that requests may name.
    package init(proxy: LinkProxy, harness: HarnessFolder, hosts: AllowedHosts, page: ControlPage) {
        (self.proxy, self.harness, self.hosts, self.page) = (proxy, harness, hosts, page)
    }

    package func respond(to request: ControlRequest) async -> ControlResponse {
        do {
            guard hosts.allows(request.host) else { throw Self.foreignHost(request.host ?? "") }
            if request.isForeign, request.method != "GET" {
                throw ControlFailure(403, code: "foreignOrigin", "pages of other origins may not change links")
            }
            return try await respond(request)
        } catch {
            let failure = ControlFailure(error)
            let document = FailureDocument(error: .init(code: failure.code, message: failure.message))
            return (try? Self.json(document, status: failure.status))
                ?? ControlResponse(status: 500, type: "text/plain", body: [])
        }
    }

    private func respond(_ request: ControlRequest) async throws -> ControlResponse {
        switch (request.method, request.path.count, request.path.first ?? "") {
        case ("GET", 0, _):
            return ControlResponse(
                status: 200,
                type: "text/html; charset=utf-8",
                body: page.bytes,
                securityPolicy: page.securityPolicy
            )
        case ("GET", 1, "health"): return ControlResponse(status: 200, type: "text/plain", body: Array("ok\n".utf8))
        case ("GET", 1, "metrics"):
            let text = ControlMetrics.text(try await proxy.status())
            return ControlResponse(status: 200, type: "text/plain; version=0.0.4", body: Array(text.utf8))
        case (_, 2..., "api"): return try await respond(request, Array(request.path.dropFirst()))
        default: throw Self.notFound(request)
        }
    }

    private func respond(_ request: ControlRequest, _ path: [String]) async throws -> ControlResponse {
        switch (request.method, path.count, path[0], path.count > 2 ? path[2] : "") {
        case ("GET", 1, "networks", _): return try Self.json(NetworksDocument(networks: networks()))
        case ("POST", 1, "reset", _):
            try await proxy.resetAll()
            return try await links()
        case ("GET", 1, "links", _): return try await links()
        case ("POST", 1, "links", _): return try await add(request.body)
        case ("GET", 2, "links", _): return try await link(path[1])
        case ("PUT", 2, "links", _), ("PATCH", 2, "links", _): return try await change(path[1], request.body)
        case ("DELETE", 2, "links", _):
            try await proxy.remove(path[1])
            return try await links()
        case ("POST", 3, "links", "disconnect"):
            try await proxy.disconnect(path[1])
            return try await link(path[1])
        case (let method, 3..., "links", "faults"):
            return try await faults(method, of: path[1], at: path.count > 3 ? path[3] : nil, request.body)
        default: throw Self.notFound(request)
        }
    }

    private func links() async throws -> ControlResponse {
        try await Self.json(LinksDocument(links: proxy.status().map(LinkDocument.init)))
    }

    private func link(_ name: String, status: Int = 200) async throws -> ControlResponse {
        try await Self.json(LinkDocument(proxy.status(name)), status: status)
    }

    private func networks() throws -> [NetworkDocument] {
        try harness.names(of: .networks).map {
            NetworkDocument(name: $0, about: try LinkProfile.named($0, in: harness).about)
        }
    }

    private func change(_ name: String, _ body: String) async throws -> ControlResponse {
        var fields = try HarnessFile.fields(of: body, file: "body")
        let network = try network(&fields)
        let delay = try fields.number("at")
        try fields.finish()
        if let delay, delay < .zero || delay > Rational(1_000_000) {
            throw ControlFailure(400, code: "badRequest", "body: at: must be from 0 to 1000000 seconds")
        }
        try await proxy.change(name, to: network, in: delay.map { Duration($0) })
        return try await link(name, status: delay == nil ? 200 : 202)
    }

    private func add(_ body: String) async throws -> ControlResponse {
        var fields = try HarnessFile.fields(of: body, file: "body")
        let plan = try LinkPlan(&fields, network: network(&fields))
        try fields.finish()
        _ = try await proxy.add(plan)
        return try await link(plan.name, status: 201)
    }

    /// The network that a name, a path, or a mapping of values describes.
    private func network(_ fields: inout HarnessFields) throws -> LinkProfile {
        try LinkProfile.taken(from: &fields, in: harness)
    }

    private func faults(_ method: String, of name: String, at index: String?, _ body: String) async throws
        -> ControlResponse
    {
        var faults = try await proxy.status(name).network.faults
        switch (method, index) {
        case ("GET", nil): return try await link(name)
        case ("POST", nil): faults.append(try RequestFault(HarnessFile.fields(of: body, file: "body")))
        case ("PUT", nil): faults = try HarnessFile.list(of: body, file: "body").map { try RequestFault($0) }
        case ("DELETE", nil): faults = []
        case ("DELETE", .some(let index)):
            guard let number = Int(index), faults.indices.contains(number) else {
                throw ControlFailure(
                    404,
                    code: "unknownFault",
                    "\(name): there is no fault \(index); faults are numbered from 0"
                )
            }
            faults.remove(at: number)
        default: throw ControlFailure(405, code: "badMethod", "faults support GET, POST, PUT, and DELETE")
        }
        try await proxy.setFaults(faults, of: name)
        return try await link(name, status: method == "POST" ? 201 : 200)
    }

    private static func foreignHost(_ host: String) -> ControlFailure {
        ControlFailure(
            403,
            code: "foreignHost",
            "the host '\(host)' is not a name of this control server; use localhost or its address, "
                + "or start it with --allow-host and this name"
        )
    }

    private static func notFound(_ request: ControlRequest) -> ControlFailure {
        ControlFailure(
            404,
            code: "notFound",
            "\(request.method) /\(request.path.joined(separator: "/")): there is no such resource"
        )
    }

    private static func json(_ document: some Encodable, status: Int = 200) throws -> ControlResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ControlResponse(status: status, type: "application/json", body: try Array(encoder.encode(document)))
    }
}
