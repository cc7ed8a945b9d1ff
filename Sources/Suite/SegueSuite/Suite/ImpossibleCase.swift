internal import SegueComparison
internal import SegueData
internal import SeguePackager
internal import SeguePlayerModel

/// A combination of a platform with a device or an app policy that cannot be.
package struct ImpossibleCase: Sendable, Codable, Equatable {
    package var platform: String
    /// The device; nil for any.
    package var device: String?
    /// The app policy; nil for any.
    package var app: String?
    package var reason: String

    package init(platform: String, device: String? = nil, app: String? = nil, reason: String) {
        (self.platform, self.device, self.app, self.reason) = (platform, device, app, reason)
    }

    func covers(_ name: CaseName) -> Bool {
        name.platform == platform && (device == nil || name.device == device) && (app == nil || name.app == app)
    }

    /// The combinations of profiles that cannot be: an app policy without its player, and a device that never ran the
    /// version.
    static func all(
        platforms: [PlatformProfile],
        devices: [DeviceProfile],
        apps: [AppProfile]
    ) -> [ImpossibleCase] {
        var impossible: [ImpossibleCase] = []
        for platform in platforms {
            for device in devices {
                guard let system = platform.system, !device.systems.isEmpty,
                    !device.systems.contains(where: { $0.contains(system) })
                else { continue }
                let ran = device.systems.map(\.description).joined(separator: ", ")
                let reason = "\(device.name) never ran \(system), only \(ran)"
                impossible.append(ImpossibleCase(platform: platform.name, device: device.name, reason: reason))
            }
            for app in apps where !platform.players.contains(app.player) {
                let reason = "\(app.name) needs a \(app.player.rawValue), which \(platform.name) does not have"
                impossible.append(ImpossibleCase(platform: platform.name, app: app.name, reason: reason))
            }
        }
        return impossible
    }
}

/// The cases that a suite leaves out for one reason.
package struct LeftOut: Sendable, Encodable, Equatable {
    package let platform: String
    package let device: String?
    package let app: String?
    package let reason: String
    /// The number of cases.
    package let cases: Int

    init(_ impossible: ImpossibleCase, cases: Int) {
        (platform, device, app) = (impossible.platform, impossible.device, impossible.app)
        (reason, self.cases) = (impossible.reason, cases)
    }
}
