internal import Harness
internal import Link
internal import Player
internal import Synchronization

/// The platforms and networks that came with the library, each read once: a world a seed asks for the same ones again.
enum KnownProfiles {
    private static let platforms = Mutex<[String: PlatformProfile]>([:])
    private static let networks = Mutex<[String: LinkProfile]>([:])

    /// The platform of a name, or of the file at a path, which may have changed.
    static func platform(_ name: String) throws -> PlatformProfile {
        try known(name, in: platforms) {
            try PlatformProfile(contentsOfFile: HarnessFolder.ofPackage.file(name, of: .platforms), in: .ofPackage)
        }
    }

    /// The network of a name, or of the file at a path.
    static func network(_ name: String) throws -> LinkProfile {
        try known(name, in: networks) { try LinkProfile.named(name, in: .ofPackage) }
    }

    private static func known<Profile: Sendable>(
        _ name: String,
        in profiles: borrowing Mutex<[String: Profile]>,
        read: () throws -> Profile
    ) throws -> Profile {
        guard !HarnessFolder.isPath(name) else { return try read() }
        if let profile = profiles.withLock({ $0[name] }) { return profile }
        let profile = try read()
        profiles.withLock { $0[name] = profile }
        return profile
    }
}
