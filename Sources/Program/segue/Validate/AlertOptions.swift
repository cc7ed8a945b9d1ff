import ArgumentParser
import Foundation
import SegueConformance
import SegueLiveMonitor
import Subprocess

/// The options for alerts of watched streams.
struct AlertOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A shell command to run when a finding begins and when it ends, with the alert as JSON on its standard input.",
            valueName: "command"
        )
    )
    var onFinding: String?

    @Option(
        help: ArgumentHelp(
            "A URL to post the same alerts to, in the form of Alertmanager's webhook.",
            valueName: "url"
        )
    )
    var webhook: String?

    func validate() throws {
        guard let webhook else { return }
        guard RemotePlace.isRemote(webhook) else { throw ValidationError("--webhook must be an http or https URL") }
    }

    /// The sender of the alerts; nil without one.
    func sender(_ profile: Profile) throws -> AlertSender? {
        var deliveries: [AlertSender.Delivery] = []
        if let onFinding { deliveries.append { notice in await Self.run(onFinding, notice) } }
        if let webhook { deliveries.append(try AlertWebhook.delivery(to: webhook)) }
        guard !deliveries.isEmpty else { return nil }
        return AlertSender(profile: profile, deliveries: deliveries) { reason in
            StandardError.write("segue: an alert was not delivered: \(reason)\n")
        }
    }

    /// The time limit of the command.
    private static let patience = Duration.seconds(30)

    /// Runs the command for an alert; returns the reason if it failed.
    private static func run(_ command: String, _ notice: AlertNotice) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask {
                do {
                    let ended = try await Subprocess.run(
                        .name("sh"),
                        arguments: ["-c", command],
                        environment: .inherit.updating(["SEGUE_ALERT": notice.status]),
                        input: .string(notice.json + "\n"),
                        output: .discarded,
                        error: .currentStandardError
                    )
                    guard case .exited(0) = ended.terminationStatus else {
                        return "the command exited with \(ended.terminationStatus)"
                    }
                    return nil
                } catch {
                    return Task.isCancelled ? "the command did not end within \(patience)" : "\(error)"
                }
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return "the command did not end within \(patience)"
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
