internal import SegueData

/// The source of a network, behind the public types of the libraries.
package enum NetworkSource: Sendable {
    /// A name in the library's data folder, or the path of a YAML file.
    case named(String)
    /// The content of a YAML file.
    case yaml(String)
    case profile(LinkProfile)

    private static let known = ReadProfiles<LinkProfile>()

    /// Reads the network.
    ///
    /// - Returns: The network.
    /// - Throws: `HarnessError` with the file, the line, and the key, or with the nearest known name.
    package func profile() throws -> LinkProfile {
        switch self {
        case .named(let name): try NetworkSource.known.profile(name) { try LinkProfile.named(name, in: .ofLibrary) }
        case .profile(let profile): profile
        case .yaml(let text): try LinkProfile(yaml: text, file: "network")
        }
    }
}
