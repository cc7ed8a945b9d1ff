internal import SegueData
internal import Synchronization

/// Profiles of one kind by their names, each read once: a run a seed asks for the same ones again.
package final class ReadProfiles<Profile: Sendable>: Sendable {
    private let profiles = Mutex<[String: Profile]>([:])

    /// None has been read.
    package init() {}

    /// The profile of a name, or of the file at a path, which may have changed and is read each time.
    ///
    /// - Parameters:
    ///   - name: The name or the path.
    ///   - read: Reads it.
    /// - Returns: The profile.
    /// - Throws: What reading throws.
    package func profile(_ name: String, read: () throws -> Profile) throws -> Profile {
        guard !HarnessFolder.isPath(name) else { return try read() }
        if let profile = profiles.withLock({ $0[name] }) { return profile }
        let profile = try read()
        profiles.withLock { $0[name] = profile }
        return profile
    }
}
