package import SegueData

/// The known devices, by name.
package struct Devices: Sendable {
    private let profiles: [String: DeviceProfile]

    /// The set with only ``DeviceProfile/any``.
    package static let none = Devices([])

    /// Creates a set of devices that includes ``DeviceProfile/any``; a later duplicate name wins.
    package init(_ profiles: [DeviceProfile]) {
        self.profiles = Dictionary((profiles + [.any]).map { ($0.name, $0) }) { $1 }
    }

    /// Loads the devices of a data folder, plus further ones given by name or path.
    ///
    /// Throws ``HarnessError`` with file, line, and key, or for an unknown name.
    package init(in folder: HarnessFolder, and more: [String] = []) throws(HarnessError) {
        var profiles: [DeviceProfile] = []
        for name in folder.names(of: .devices) + more {
            profiles.append(try DeviceProfile(contentsOfFile: folder.file(name, of: .devices)))
        }
        self.init(profiles)
    }

    package var names: [String] { profiles.keys.sorted() }

    package func named(_ name: String) throws(UnknownName) -> DeviceProfile {
        guard let profile = profiles[name] else { throw UnknownName(name, among: names) }
        return profile
    }

    /// The device whose longest matching pattern fits a User-Agent; ``DeviceProfile/any`` if none does.
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

    /// True if the parts of a pattern between asterisks occur in a text in order.
    private static func fits(_ text: String, _ pattern: String) -> Bool {
        var rest = text[...]
        for piece in pattern.split(separator: "*") {
            guard let place = rest.firstRange(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }
}
