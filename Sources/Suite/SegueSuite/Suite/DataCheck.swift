internal import SegueData
internal import SegueNetworkModel
internal import SeguePackager
internal import SeguePlayerModel

/// Reads data files for their names alone, so that what is wrong with them is said before the work begins.
enum DataCheck {
    /// The name of the network in a file.
    static func networkName(_ path: String) throws -> String { try LinkProfile(contentsOfFile: path).name }

    /// The name of the platform in a file.
    static func platformName(_ path: String, in harness: HarnessFolder) throws -> String {
        try PlatformProfile(contentsOfFile: path, in: harness).name
    }

    /// The name of the device in a file.
    static func deviceName(_ path: String) throws -> String { try DeviceProfile(contentsOfFile: path).name }

    /// The name of the app policy in a file.
    static func appName(_ path: String, in harness: HarnessFolder) throws -> String {
        try AppProfile(contentsOfFile: path, in: harness).name
    }
}
