extension OriginServer {
    /// What keeps one client from taking what is the others', and what is told of all of them.
    package struct Fairness: Sendable {
        /// What each address may.
        package var allowance: AddressAllowance

        /// Reverse proxies whose word is taken for whose request it is, and to which no limit applies.
        package var trusted: [AddressRange]

        /// How many bytes a second a client has to take at the least, on average over the time limit of idle connections,
        /// while more wait for it; 0 for any.
        package var minimumRate: Int

        /// Where each request is told of; nil for nowhere.
        package var log: AccessLog?

        /// Fairness with the usual limits.
        package init(
            allowance: AddressAllowance = .init(),
            trusted: [AddressRange] = [],
            minimumRate: Int = 1024,
            log: AccessLog? = nil
        ) { (self.allowance, self.trusted, self.minimumRate, self.log) = (allowance, trusted, minimumRate, log) }
    }
}
