package import SegueData

/// The devices that are known, by name.
package struct Devices: Sendable {
    private let profiles: [String: DeviceProfile]

    /// No device but ``DeviceProfile/any``.
    package static let none = Devices([])

    /// Some devices, and ``DeviceProfile/any``; of two with one name the last counts.
    package init(_ profiles: [DeviceProfile]) {
        self.profiles = Dictionary((profiles + [.any]).map { ($0.name, $0) }) { $1 }
    }

    /// All devices of a folder of data, and those of further files.
    ///
    /// - Parameters:
    ///   - folder: The data.
    ///   - more: Names, or paths of files.
    /// - Throws: ``HarnessError`` with file, line and key, or for a name that is not there.
    package init(in folder: HarnessFolder, and more: [String] = []) throws(HarnessError) {
        var profiles: [DeviceProfile] = []
        for name in folder.names(of: .devices) + more {
            profiles.append(try DeviceProfile(contentsOfFile: folder.file(name, of: .devices)))
        }
        self.init(profiles)
    }

    /// The names, in order.
    package var names: [String] { profiles.keys.sorted() }

    /// The device of a name.
    package func named(_ name: String) throws(UnknownName) -> DeviceProfile {
        guard let profile = profiles[name] else { throw UnknownName(name, among: names) }
        return profile
    }

    /// The device that a User-Agent hints at: the one with the longest pattern that fits, ``DeviceProfile/any`` for
    /// none.
    package func hinted(byUserAgent agent: String?) -> DeviceProfile {
        guard let agent else { return .any }
        var best: (length: Int, profile: DeviceProfile)?
        for name in names {
            guard let profile = profiles[name] else { continue }
            for pattern in profile.userAgents where Devices.fits(agent, pattern) {
                let length = pattern.count { $0 != "*" }
                if length > best?.length ?? 0 { best = (length, profile) }
            }
        }
        return best?.profile ?? .any
    }

    /// True if the pieces of a pattern between its asterisks occur in a text, in their order.
    private static func fits(_ text: String, _ pattern: String) -> Bool {
        var rest = text[...]
        for piece in pattern.split(separator: "*") {
            guard let place = rest.firstRange(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }
}
