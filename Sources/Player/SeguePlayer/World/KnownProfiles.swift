internal import SegueData
internal import SegueNetworkModel
internal import SeguePlayerModel

/// The platforms of the library, each read once.
enum KnownProfiles {
    private static let platforms = ReadProfiles<PlatformProfile>()

    /// Returns the platform of a name, or of the file at a path, which may have changed.
    static func platform(_ name: String) throws -> PlatformProfile {
        try platforms.profile(name) {
            try PlatformProfile(contentsOfFile: HarnessFolder.ofLibrary.file(name, of: .platforms), in: .ofLibrary)
        }
    }
}
