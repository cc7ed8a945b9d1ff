internal import Link
internal import Profiles

/// The network between a world's player and its server.
public struct Network: Sendable, ExpressibleByStringLiteral {
    private let source: NetworkSource

    /// A network by its name, such as `3g`, or by the path of a YAML file.
    public init(_ name: String) { source = .named(name) }

    /// A network by its name or by the path of a file.
    public init(stringLiteral name: String) { self.init(name) }

    private init(source: NetworkSource) { self.source = source }

    /// A network as a YAML file would describe it.
    ///
    /// - Parameter text: The YAML; what is wrong with it is told where the network is used.
    /// - Returns: The network.
    public static func yaml(_ text: String) -> Network { Network(source: .yaml(text)) }

    /// A wireless network at home.
    public static let wifi: Network = "wifi"

    /// A mobile network of the third generation.
    public static let cellular3G: Network = "3g"

    /// The network in numbers.
    func profile() throws -> LinkProfile { try source.profile() }
}
