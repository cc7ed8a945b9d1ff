internal import SegueData
internal import Synchronization

/// A cache of profiles of one kind by name, for runs with many seeds.
package final class ReadProfiles<Profile: Sendable>: Sendable {
    private let profiles = Mutex<[String: Profile]>([:])

    package init() {}

    /// Returns the profile with a name; a file at a path may change and is read each time.
    ///
    /// - Parameters:
    ///   - name: The name or the path.
    /// - Returns: The profile.
    /// - Throws: The errors of `read`.
    package func profile(_ name: String, read: () throws -> Profile) throws -> Profile {
        guard !HarnessFolder.isPath(name) else { return try read() }
        if let profile = profiles.withLock({ $0[name] }) { return profile }
        let profile = try read()
        profiles.withLock { $0[name] = profile }
        return profile
    }
}
