internal import SegueData
internal import SegueNetworkModel
internal import SeguePackager
internal import SeguePlayerModel

/// Reads data files for their names, so that errors in them are reported before the work begins.
enum DataCheck {
    static func networkName(_ path: String) throws -> String { try LinkProfile(contentsOfFile: path).name }

    static func platformName(_ path: String, in harness: HarnessFolder) throws -> String {
        try PlatformProfile(contentsOfFile: path, in: harness).name
    }

    static func deviceName(_ path: String) throws -> String { try DeviceProfile(contentsOfFile: path).name }

    static func appName(_ path: String, in harness: HarnessFolder) throws -> String {
        try AppProfile(contentsOfFile: path, in: harness).name
    }
}
