package import SegueFetch

/// The addresses of a server: its own, and the one through a proxy.
package struct ServerAddresses: Sendable {
    /// The prefix of the server's own URLs, with a slash at its end.
    package let own: String

    /// The prefix of the URLs through the proxy.
    package let proxied: String

    /// The addresses for hosts with ports.
    package init(server: String, proxy: String) { (own, proxied) = ("http://\(server)/", "http://\(proxy)/") }

    /// A URL of the server as the proxy serves it; other URLs are unchanged.
    package func throughProxy(_ url: String) -> String { Self.move(url, from: own, to: proxied) }

    /// A request to the proxy, redirected to the server.
    package func direct(_ request: FetchRequest) -> FetchRequest {
        request.at(Self.move(request.url, from: proxied, to: own))
    }

    /// A request to the server, redirected to the proxy.
    package func throughProxy(_ request: FetchRequest) -> FetchRequest { request.at(throughProxy(request.url)) }

    /// A response of the server as if it came through the proxy, with the given server time; nil for the default.
    package func throughProxy(_ response: FetchResponse, serverTime: Duration? = nil) -> FetchResponse {
        var moved = FetchResponse(
            status: response.status,
            headers: response.headers,
            url: throughProxy(response.url),
            serverAddress: response.serverAddress,
            isLast: response.isLast,
            failure: response.failure
        )
        moved.serverTime = serverTime
        return moved
    }

    private static func move(_ url: String, from: String, to: String) -> String {
        url.hasPrefix(from) ? to + url.dropFirst(from.count) : url
    }
}

extension FetchRequest {
    /// The same request for another URL.
    fileprivate func at(_ url: String) -> FetchRequest {
        var request = FetchRequest(
            id: id,
            url: url,
            range: range,
            headers: headers,
            patience: patience,
            limit: limit
        )
        request.isHead = isHead
        return request
    }
}
