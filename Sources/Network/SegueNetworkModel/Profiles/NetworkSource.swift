internal import SegueData

/// Where a library is told to find a network: the one thing behind the public types that stand for networks.
package enum NetworkSource: Sendable {
    /// The name of a network in the library's data folder, or the path of a YAML file.
    case named(String)
    /// What a YAML file would hold.
    case yaml(String)
    /// A network in numbers.
    case profile(LinkProfile)

    private static let known = ReadProfiles<LinkProfile>()

    /// The network in numbers.
    ///
    /// - Returns: The network.
    /// - Throws: `HarnessError` with the file, line and key, or the nearest name that there is.
    package func profile() throws -> LinkProfile {
        switch self {
        case .named(let name): try NetworkSource.known.profile(name) { try LinkProfile.named(name, in: .ofLibrary) }
        case .profile(let profile): profile
        case .yaml(let text): try LinkProfile(yaml: text, file: "network")
        }
    }
}
