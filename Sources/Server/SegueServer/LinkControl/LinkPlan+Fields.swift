package import SegueData
package import SegueNetworkModel
package import SegueProxy

extension LinkPlan {
    /// Parses a link: `name`, `seed`, `receive-window`, and `listen` with `to` or a list of those under `routes`; for a
    /// forward proxy, `proxy`, with `proxy-hosts` and `shape-names`.
    ///
    /// - Parameters:
    ///   - fields: The keys, without `network`.
    /// - Throws: `HarnessError` with the file, line, and key.
    package init(_ fields: inout HarnessFields, network: LinkProfile) throws(HarnessError) {
        let name = try fields.text("name") ?? network.name
        let seed = try fields.integer("seed", in: 0...Int.max)
        let window = try fields.text("receive-window")
        guard let receiveWindow = window.map(ReceiveWindow.init) ?? .tuned else {
            throw fields.error("receive-window", "is \(window ?? ""), must be \(ReceiveWindow.shape)")
        }
        var routes: [Route] = []
        if fields.has("listen") || fields.has("to") { routes.append(try Route(&fields)) }
        for entry in try fields.list("routes") {
            var entry = entry
            routes.append(try Route(&entry))
            try entry.finish()
        }
        if fields.has("proxy") { routes.append(Route(listen: try fields.endpoint("proxy"), server: nil)) }
        let forwarding = ForwardRules(
            hosts: try fields.texts("proxy-hosts") ?? [],
            shapesNames: try fields.flag("shape-names") ?? true
        )
        guard !routes.isEmpty else { throw fields.error("listen", "is missing, and there are no routes and no proxy") }
        self.init(
            name: name,
            network: network,
            seed: UInt64(seed ?? 1),
            receiveWindow: receiveWindow,
            routes: routes,
            forwarding: forwarding
        )
    }
}

extension HarnessFields {
    fileprivate mutating func endpoint(_ key: String) throws(HarnessError) -> Endpoint {
        let text = try requiredText(key)
        guard let endpoint = Endpoint(text) else {
            throw error(key, "is \(text), must be HOST:PORT, an IPv6 host in brackets")
        }
        return endpoint
    }
}

extension LinkPlan.Route {
    fileprivate init(_ fields: inout HarnessFields) throws(HarnessError) {
        self.init(listen: try fields.endpoint("listen"), server: try fields.endpoint("to"))
    }
}
