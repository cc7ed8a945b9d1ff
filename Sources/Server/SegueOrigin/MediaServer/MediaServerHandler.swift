import HTTPTypes
import SegueUPnP

/// The handler of `/dlna/…`.
struct MediaServerHandler: Sendable {
    let server: MediaServer
    let library: Library
    let catalogue: Catalogue

    func respond(_ asked: ResourceRequest, _ place: MediaServerPlace) throws(OriginFailure) -> OriginResponse {
        let request = asked.request
        // Behind a proxy, everyone outside of the house would be a television, and the proxy a subscriber.
        guard !request.isForwarded else {
            throw OriginFailure(
                status: 403,
                code: "forwarded",
                message: "the media server accepts no requests through a proxy"
            )
        }
        let base = try base(request)
        switch place {
        case .device: return .xml(server.description.xml(mount: request.mount))
        case .description(.contentDirectory): return .xml(ContentDirectory.description.xml)
        case .description(.connectionManager): return .xml(ConnectionManager.description.xml)
        case .control(let service): return control(service, request, base: base)
        case .events(let service): return try events(service, request)
        }
    }

    /// Notifies subscribers if the library has changed.
    func tellOfChanges() {
        guard server.hasSubscribers else { return }
        server.tellAll(server.tree(of: nil) { MediaTree(items(in: nil)) }.updateID)
    }

    /// The start of absolute addresses, with the address that the client used.
    ///
    /// - Throws: ``OriginFailure`` if the client used a name: televisions use addresses, so a name hints at DNS
    ///   rebinding.
    private func base(_ request: OriginRequest) throws(OriginFailure) -> String {
        guard let authority = request.headers[.hostField], let host = HostName(authority: authority),
            host.isAddress || host.isLoopback
        else {
            throw OriginFailure(
                status: 403,
                code: "foreignHost",
                message: "the media server accepts requests by address only, not by name"
            )
        }
        return "http://\(authority)\(request.mount)"
    }

    private func control(_ service: MediaServerPlace.Service, _ request: OriginRequest, base: String)
        -> OriginResponse
    {
        do throws(SOAPFault) {
            let call = try SOAPCall(soapAction: request.headers[.soapAction], body: request.body)
            switch service {
            case .contentDirectory:
                guard call.service == ContentDirectory.type else { throw .invalidAction }
                let tree = server.tree(of: request.visitor.folders) { MediaTree(items(in: request.visitor.folders)) }
                let directory = ContentDirectory(tree) { entry in
                    guard let id = tree.itemID(entry), let item = library.item(id) else { return ContentDetails() }
                    return ContentDetails(item, catalogue.knowledge(of: item), base: base)
                }
                return .xml(try directory.respond(to: call).xml(to: call))
            case .connectionManager:
                guard call.service == ConnectionManager.type else { throw .invalidAction }
                return .xml(try ConnectionManager.respond(to: call, sources: ContentDetails.sources).xml(to: call))
            }
        } catch {
            return .xml(error.xml, status: 500)
        }
    }

    /// Begins, renews, or ends a subscription (UPnP Device Architecture 1.1, section 4.1).
    private func events(_ service: MediaServerPlace.Service, _ request: OriginRequest) throws(OriginFailure)
        -> OriginResponse
    {
        do throws(Subscriptions.Refusal) {
            let id = request.headers[.sid]
            if request.method == "UNSUBSCRIBE" {
                try server.unsubscribe(id ?? "", from: request.address)
                return OriginResponse(status: 200, headers: [.contentLength: "0"], body: .empty)
            }
            if let id {
                guard request.headers[.callback] == nil, request.headers[.nt] == nil else { throw .badRequest }
                try server.renew(id, from: request.address)
                return .subscribed(id)
            }
            guard request.headers[.nt] == "upnp:event" else { throw .preconditionFailed }
            return .subscribed(
                try server.subscribe(request.headers[.callback], from: request.address, state(of: service))
            )
        } catch {
            throw OriginFailure(
                status: error.rawValue,
                code: "\(error)",
                message: "the subscription does not exist, is malformed, or exceeds the limit"
            )
        }
    }

    private func state(of service: MediaServerPlace.Service) -> String {
        switch service {
        case .contentDirectory:
            let tree = server.tree(of: nil) { MediaTree(items(in: nil)) }
            return Subscriptions.body([("SystemUpdateID", String(tree.updateID))])
        case .connectionManager:
            return Subscriptions.body([
                ("SourceProtocolInfo", ContentDetails.sources), ("SinkProtocolInfo", ""), ("CurrentConnectionIDs", "0"),
            ])
        }
    }

    /// The playable items in folders; nil for all folders.
    private func items(in folders: [String]?) -> [MediaTree.Item] {
        let seen = folders.map { Visitor(identity: "", folders: $0) }
        return library.items.compactMap { item in
            if let seen, !seen.sees(item) { return nil }
            let knowledge = catalogue.knowledge(of: item)
            if case .failed = knowledge { return nil }
            return MediaTree.Item(item, ItemTraits(item, knowledge))
        }
    }
}

extension OriginResponse {
    /// An XML response that is not cached.
    fileprivate static func xml(_ text: String, status: Int = 200) -> OriginResponse {
        var response = OriginResponse.text(text, "text/xml; charset=\"utf-8\"")
        response.status = status
        response.headers[.ext] = ""
        return response
    }

    fileprivate static func subscribed(_ id: String) -> OriginResponse {
        OriginResponse(
            status: 200,
            headers: [.sid: id, .timeout: "Second-\(Subscriptions.seconds)", .contentLength: "0"],
            body: .empty
        )
    }
}
