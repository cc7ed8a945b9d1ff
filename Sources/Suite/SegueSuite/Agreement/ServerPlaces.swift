package import SegueFetch

/// A server, and where else it is asked: through a proxy.
package struct ServerPlaces: Sendable {
    /// The beginning of the server's own URLs, with a slash at its end.
    package let own: String

    /// The beginning of the same ones through the proxy.
    package let proxied: String

    /// A server and its proxy, by their hosts with ports.
    package init(server: String, proxy: String) { (own, proxied) = ("http://\(server)/", "http://\(proxy)/") }

    /// A URL of the server's as the proxy has it; any other as it is.
    package func throughProxy(_ url: String) -> String { Self.move(url, own, proxied) }

    /// A request of the proxy, asked of the server itself.
    package func direct(_ request: FetchRequest) -> FetchRequest {
        request.at(Self.move(request.url, proxied, own))
    }

    /// A request of the server itself, asked through the proxy.
    package func throughProxy(_ request: FetchRequest) -> FetchRequest { request.at(throughProxy(request.url)) }

    /// A response of the server, as if it had come through the proxy, and the server had taken so long; nil for as long as
    /// the run says.
    package func throughProxy(_ response: FetchResponse, serverTime: Duration? = nil) -> FetchResponse {
        FetchResponse(
            status: response.status,
            headers: response.headers,
            url: throughProxy(response.url),
            serverAddress: response.serverAddress,
            isLast: response.isLast,
            failure: response.failure,
            serverTime: serverTime
        )
    }

    private static func move(_ url: String, _ from: String, _ to: String) -> String {
        url.hasPrefix(from) ? to + url.dropFirst(from.count) : url
    }
}

extension FetchRequest {
    /// The same request of another URL.
    fileprivate func at(_ url: String) -> FetchRequest {
        FetchRequest(
            id: id,
            url: url,
            range: range,
            isHead: isHead,
            headers: headers,
            patience: patience,
            limit: limit
        )
    }
}
