internal import SegueNetworkModel
internal import SegueSearch

/// The network between a world's player and its server.
public struct Network: Sendable, ExpressibleByStringLiteral {
    private let source: NetworkSource

    /// A network by its name, such as `3g`, or by the path of a YAML file.
    ///
    /// - Parameter name: The name or the path; where there is no such network, it is told where the network is used.
    public init(_ name: String) { source = .named(name) }

    /// A network by its name or by the path of a file.
    ///
    /// - Parameter name: The name or the path.
    public init(stringLiteral name: String) { self.init(name) }

    private init(source: NetworkSource) { self.source = source }

    /// A network as a YAML file would describe it.
    ///
    /// - Parameter text: The YAML; what is wrong with it is told where the network is used.
    /// - Returns: The network.
    public static func yaml(_ text: String) -> Network { Network(source: .yaml(text)) }

    /// A network in numbers, with a quarter of its rate towards the server.
    ///
    /// - Parameters:
    ///   - kilobits: How much comes through towards the client, in kbit/s, from 1.
    ///   - delay: How many milliseconds a packet takes in one direction, from 0.
    ///   - loss: How many of a thousand packets are lost, from 0 to 999.
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

    /// A network in numbers.
    init(_ profile: LinkProfile) { source = .profile(profile) }

    /// A network over which nothing comes.
    public static let broken = Network(Conditions.ideal.network.broken)

    /// A wireless network at home.
    public static let wifi: Network = "wifi"

    /// A mobile network of the third generation.
    public static let cellular3G: Network = "3g"

    /// The network in numbers.
    func profile() throws -> LinkProfile { try source.profile() }
}
