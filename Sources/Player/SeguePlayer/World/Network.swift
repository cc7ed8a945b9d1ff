internal import SegueNetworkModel
internal import SegueSearch

/// The network between a world's player and its server.
public struct Network: Sendable, ExpressibleByStringLiteral {
    private let source: NetworkSource

    /// A network by its name, such as `3g`, or by the path of a YAML file.
    ///
    /// - Parameter name: The name or the path. An unknown one is an error where the network is used.
    public init(_ name: String) { source = .named(name) }

    /// A network by its name or by the path of a file.
    ///
    /// - Parameter name: The name or the path.
    public init(stringLiteral name: String) { self.init(name) }

    private init(source: NetworkSource) { self.source = source }

    /// A network described as in a YAML file.
    ///
    /// - Parameter text: The YAML. An error in it is thrown where the network is used.
    /// - Returns: The network.
    public static func yaml(_ text: String) -> Network { Network(source: .yaml(text)) }

    /// A network with given properties, and a quarter of its rate for uploads.
    ///
    /// - Parameters:
    ///   - kilobits: The download rate in kbit/s, from 1.
    ///   - delay: The one-way delay in milliseconds, from 0.
    ///   - loss: The number of lost packets per thousand, from 0 to 999.
    /// - Returns: The network.
    public static func link(kilobits: Int, delay: Int = 1, loss: Int = 0) -> Network {
        let bounded = Conditions(
            rate: min(max(1, kilobits), 1_000_000_000),
            delay: min(max(0, delay), 1_000_000),
            loss: min(max(0, loss), 999),
            think: 0
        )
        return Network(bounded.network)
    }

    /// A network with given properties.
    init(_ profile: LinkProfile) { source = .profile(profile) }

    /// A network without connectivity.
    public static let broken = Network(Conditions.ideal.network.broken)

    /// A home Wi-Fi network.
    public static let wifi: Network = "wifi"

    /// A 3G mobile network.
    public static let cellular3G: Network = "3g"

    /// The properties of the network.
    func profile() throws -> LinkProfile { try source.profile() }
}
