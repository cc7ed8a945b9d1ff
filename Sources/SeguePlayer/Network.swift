internal import Foundation
internal import Harness
internal import HarnessData
internal import Link

/// The network between a world's player and its server.
public struct Network: Sendable, ExpressibleByStringLiteral {
    private enum Source: Sendable {
        case named(String)
        case yaml(String)
    }

    private let source: Source

    /// A network by its name, such as `3g`, or by the path of a YAML file.
    public init(_ name: String) { source = .named(name) }

    /// A network by its name or by the path of a file.
    public init(stringLiteral name: String) { self.init(name) }

    private init(source: Source) { self.source = source }

    /// A network as a YAML file would describe it.
    public static func yaml(_ text: String) -> Network { Network(source: .yaml(text)) }

    /// A wireless network at home.
    public static let wifi: Network = "wifi"

    /// A mobile network of the third generation.
    public static let cellular3G: Network = "3g"

    /// The network in numbers.
    func profile() throws -> LinkProfile {
        switch source {
        case .named(let name): try KnownProfiles.network(name)
        case .yaml(let text): try LinkProfile(yaml: text, file: "network")
        }
    }
}

extension HarnessFolder {
    /// The data folder: what `SEGUE_HARNESS` names, else the one that came with this library.
    static let ofPackage = HarnessFolder(
        path: ProcessInfo.processInfo.environment["SEGUE_HARNESS"] ?? HarnessData.path
    )
}
