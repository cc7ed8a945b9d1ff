extension OriginServer {
    /// The limits that keep a client from using the share of others, and the log of requests.
    package struct Fairness: Sendable {
        /// The limits of each address.
        package var allowance: AddressAllowance

        /// The reverse proxies whose forwarding fields are trusted, and which have no limits.
        package var proxies: TrustedProxies

        /// The minimum rate in bytes per second at which a client receives, averaged over the idle time limit; 0 for
        /// none.
        package var minimumRate: Int

        /// The access log; nil for none.
        package var log: AccessLog?

        package init(
            allowance: AddressAllowance = .init(),
            proxies: TrustedProxies = .init(),
            minimumRate: Int = 1024,
            log: AccessLog? = nil
        ) { (self.allowance, self.proxies, self.minimumRate, self.log) = (allowance, proxies, minimumRate, log) }
    }
}
