import Foundation
import SegueBase
import SegueNetworkModel
import SegueTestSupport
import Testing

/// A download measured on Linux with netem; see `Measured/README.md`.
struct MeasuredDownload: Sendable, CustomTestStringConvertible {
    let profile: LinkProfile
    let bytes: Int
    let state: DownloadEstimate.ConnectionState
    /// The median, in seconds.
    let seconds: Double
    /// An estimate of the mean from median, minimum, and maximum.
    let likelyMean: Double

    var testDescription: String { "\(profile.name) \(bytes) \(state)" }

    static let all: [MeasuredDownload] = {
        let profiles = Dictionary(uniqueKeysWithValues: rows("netem_profiles").map { ($0[0], network($0)) })
        return (rows("netem_reference") + rows("netem_reference_idle60s")).compactMap { row in
            guard let profile = profiles[row[0]], let bytes = Int(row[1]), let seconds = Double(row[3]),
                let least = Double(row[4]), let most = Double(row[5])
            else {
                return nil
            }
            let state: DownloadEstimate.ConnectionState =
                switch row[2] {
                case "new": .new
                case "reused": .reused
                default: .idle(.seconds(60))
                }
            return MeasuredDownload(
                profile: profile,
                bytes: bytes,
                state: state,
                seconds: seconds,
                likelyMean: (least + 2 * seconds + most) / 4
            )
        }
    }()

    /// True if nothing is lost, at random or in a short queue.
    var isLossFree: Bool { profile.down.loss == 0 && profile.up.loss == 0 && profile.queue == .packets(1000) }

    private static func rows(_ name: String) -> [[String]] {
        let file = Checkout.root.appending(path: "Tests/Network/SegueNetworkModelTests/Measured/\(name).csv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(whereSeparator: \.isNewline).dropFirst().map { $0.split(separator: ",").map(String.init) }
    }

    private static func network(_ row: [String]) -> LinkProfile {
        func direction(_ rate: Int, _ delay: Int, _ loss: Int) -> LinkProfile.Direction {
            LinkProfile.Direction(
                bitsPerSecond: (Int64(row[rate]) ?? 0) * 1000,
                delay: .milliseconds(Int(row[delay]) ?? 0),
                loss: (Double(row[loss]) ?? 0) / 100
            )
        }
        let limit = Int(row[8]) ?? 0
        return LinkProfile(
            name: row[0],
            down: direction(1, 3, 5),
            up: direction(2, 4, 6),
            queue: row[7] == "tbf" ? .bytes(limit) : .packets(limit)
        )
    }
}

@Suite struct `Measured downloads` {
    @Test func `exist`() {
        #expect(MeasuredDownload.all.count == 212)
        #expect(MeasuredDownload.all.count(where: \.isLossFree) == 161)
    }

    @Test(arguments: MeasuredDownload.all.filter(\.isLossFree))
    func `match the model without losses`(measured: MeasuredDownload) throws {
        let seconds = try #require(
            DownloadEstimate(over: measured.profile, on: measured.state).seconds(measured.bytes, seed: 1)
        )
        #expect(
            abs(seconds - measured.seconds) <= max(0.005 * measured.seconds, 0.0025),
            "\(seconds) for \(measured.seconds)"
        )
    }
}
