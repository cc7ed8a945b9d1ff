import HTTPTypes
import SegueOrigin

extension AccessGate {
    static func isSafe(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }

    /// Returns true if the request comes from this machine and not through a proxy.
    func isOfThisMachine(_ request: OriginRequest, _ address: String) -> Bool {
        guard address.hasPrefix("127.") || address == "::1" || address == "::ffff:127.0.0.1" else { return false }
        return !request.isForwarded
    }

    /// Returns true unless a page of another origin sent the request.
    ///
    /// Clients other than browsers do not declare an origin.
    func isOfOwnPage(_ request: OriginRequest) -> Bool {
        let origin = request.headers[.origin]
        if let origin, rules.origins.isNamed(origin) { return true }
        if let site = request.headers[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin else { return true }
        let scheme = rules.isSecure ? "https" : "http"
        guard let host = request.headers[.hostField] else { return false }
        return origin.lowercased() == "\(scheme)://\(host)".lowercased()
    }
}
