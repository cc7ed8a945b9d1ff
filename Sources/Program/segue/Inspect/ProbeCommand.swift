import ArgumentParser
import Foundation
import SegueBase
import SegueConcurrency
import SegueData
import SegueFFmpeg
import SeguePackager

struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Shows the streams of a file, its segments, and which streams are copied or transcoded.",
        discussion: """
            Example, with test media; your own files work as well:
              segue testmedia media
              segue probe media/mp4/*.mp4 --device iphone-3g,chromium --json probe.json

            With --device it shows what is copied and transcoded for that device, and why. Devices are names in the \
            folder Harness/devices, or YAML files.

            Exit codes: 0 all files can be served; 1 a file cannot be served; 2 a file cannot be opened.
            """
    )

    @Argument(help: ArgumentHelp("Files.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(help: "Devices: names or YAML files. (default: any)", completion: .names(of: .devices, isList: true))
    var device: NameList?

    @Option(.json) var json: String?

    @Flag(.quiet) var quiet = false

    @OptionGroup var indexCache: IndexCacheOption

    @OptionGroup var config: ConfigOption

    func run() async throws {
        let output = try json.map(OutputFile.init)
        var probes: [FileProbe] = []
        var code: Int32 = 0
        let keeper = indexCache.keeper(byDefault: nil)
        let devices = try device.map { try ProbeCommand.devices($0.names) } ?? [.any]
        for (file, device) in files.flatMap({ file in devices.map { (file, $0) } }) {
            do throws(PackagingError) {
                let began = ContinuousClock.now
                let first = try Presentation.open(
                    path: file,
                    for: device,
                    caching: Presentation.Caching(index: keeper),
                    cancellation: Cancellation()
                )
                let time = ContinuousClock.now - began
                let probe = FileProbe([first] + (try ProbeCommand.others(than: first, keeper)), openedIn: time)
                if !quiet { StandardOutput.write((probes.isEmpty ? "" : "\n") + probe.text + "\n") }
                if probe.isUnserved { code = max(code, 1) }
                probes.append(probe)
            } catch {
                StandardError.write("segue: \(error)\n")
                code = error.reason == .unreadable ? 2 : max(code, 1)
            }
        }
        try output?.write(JSONEncoder.readable.encode(probes))
        if code != 0 { throw ExitCode(code) }
    }
    private static func devices(_ names: [String]) throws -> [DeviceProfile] {
        let folder = try ProgramData.harness()
        var devices: [DeviceProfile] = []
        for name in names { devices.append(try DeviceProfile(contentsOfFile: folder.file(name, of: .devices))) }
        return devices
    }

    /// The file opened for the same device in its other containers.
    private static func others(
        than first: Presentation,
        _ keeper: (any IndexKeeping)?
    ) throws(PackagingError) -> [Presentation] {
        var others: [Presentation] = []
        for container in first.device.containers where !first.containers.contains(container) {
            others.append(
                try Presentation.open(
                    path: first.identity.path,
                    for: first.device,
                    in: container,
                    caching: Presentation.Caching(index: keeper),
                    cancellation: Cancellation()
                )
            )
        }
        return others
    }
}
