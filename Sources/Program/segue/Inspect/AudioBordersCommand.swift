import ArgumentParser
import Foundation
import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// Measures for a benchmark the error at the borders of independently encoded audio pieces.
struct AudioBordersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sound-borders", shouldDisplay: false)

    @Argument(help: ArgumentHelp("Files with audio.", valueName: "file"))
    var files: [String]

    @Option(help: "Numbers of frames to encode and drop before each piece, separated by commas.")
    var preroll: NameList?

    func run() async throws {
        var lines: [Line] = []
        for file in files {
            for preroll in try prerolls() {
                do {
                    let found = try AudioBoundaries.measure(path: file, preroll: preroll, cancellation: Cancellation())
                    lines.append(Line(file: file, preroll: preroll, found: found))
                } catch {
                    throw CommandFailure(error)
                }
            }
        }
        StandardOutput.write(json: try JSONEncoder.readable.encode(lines))
    }

    private func prerolls() throws -> [Int] {
        try (preroll?.names ?? ["48"]).map { name in
            guard let number = Int(name), (0...1000).contains(number) else {
                throw CommandFailure("--preroll", "\(name) is not a number of frames from 0 to 1000")
            }
            return number
        }
    }

    /// A measurement as it is printed.
    private struct Line: Encodable {
        let file: String
        let preroll: Int
        let borders: Int
        let borderMean: Double
        let border95: Double
        let insideMean: Double
        let inside95: Double
        let unbrokenMean: Double
        let worsened: Int
        let worstRatio: Double

        init(file: String, preroll: Int, found: AudioBoundaries) {
            self.file = file
            self.preroll = preroll
            borders = found.border.blocks / 2
            borderMean = found.border.mean
            border95 = found.border.percentile95
            insideMean = found.inside.mean
            inside95 = found.inside.percentile95
            unbrokenMean = found.unbroken.mean
            worsened = found.worsened
            worstRatio = found.worstRatio
        }
    }
}
