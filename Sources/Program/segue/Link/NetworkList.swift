import Foundation
import SegueData
import SegueNetworkModel

/// The built-in networks as a table.
enum NetworkList {
    /// A line per network: name, rates, delays, losses, and description.
    ///
    /// - Throws: ``HarnessError``.
    static func text(of harness: HarnessFolder) throws -> String {
        let profiles = try harness.names(of: .networks).map { try LinkProfile.named($0, in: harness) }
        var rows = [["network", "kbit/s down/up", "ms down/up", "loss down/up", "is"]]
        rows += profiles.map { profile in
            [
                profile.name, both(profile, rate), both(profile, delay),
                both(profile) { number((($0.bursts?.share ?? 0) + $0.loss) * 100) + " %" }, about(profile),
            ]
        }
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1 + 2, withPad: " ", startingAt: 0) }.joined() + row[4] + "\n"
        }.joined()
    }

    private static func about(_ profile: LinkProfile) -> String {
        profile.about.isEmpty ? profile.source : profile.about
    }

    private static func both(_ profile: LinkProfile, _ shown: (LinkProfile.Direction) -> String) -> String {
        let (down, up) = (shown(profile.down), shown(profile.up))
        return down == up ? down : "\(down)/\(up)"
    }

    /// The mean of a variable rate.
    private static func rate(_ direction: LinkProfile.Direction) -> String {
        guard let mean = direction.rate.mean else { return "unlimited" }
        guard case .changing = direction.rate else { return number(mean / 1000) }
        return "~" + number((mean / 1000).rounded())
    }

    private static func delay(_ direction: LinkProfile.Direction) -> String {
        let (least, most) = (direction.delay.lowerBound, direction.delay.upperBound)
        let shown = { (delay: Duration) in number(delay / .milliseconds(1)) }
        return least == most ? shown(least) : "\(shown(least))-\(shown(most))"
    }

    private static func number(_ value: Double) -> String { String(format: "%.10g", value) }
}
