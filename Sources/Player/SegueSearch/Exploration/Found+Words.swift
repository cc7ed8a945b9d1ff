internal import SegueBase
package import SegueEvents

extension Found {
    /// Explains the violation in a sentence or two.
    ///
    /// - Parameters:
    ///   - breaking: The log of the trial.
    ///   - keeping: The log on the other side of the limit; nil if there is no limit.
    /// - Returns: The violation, its limit, and the first difference between the two runs.
    package func explanation(breaking: EventLog, keeping: EventLog?) -> String {
        guard let border, let keeping else { return broken.message }
        return [broken.message, border.words, parting(breaking, keeping)].compactMap(\.self).joined(separator: "; ")
    }

    /// Describes the first difference between two runs.
    private func parting(_ breaking: EventLog, _ keeping: EventLog) -> String? {
        let one = breaking.events.filter(\.kind.isTold), other = keeping.events.filter(\.kind.isTold)
        guard let index = zip(one, other).enumerated().first(where: { !$1.0.kind.isLike($1.1.kind) })?.offset else {
            return nil
        }
        let later = words(other[index].kind, in: one, from: index)
        return "in the run that breaks it, \(words(one[index])) comes before \(later); "
            + "in the other run, \(words(other[index])) comes first"
    }

    private func words(_ event: Event) -> String {
        "\(event.kind.brief) (\(DecimalText.short(event.at.seconds, places: 3)) s)"
    }

    private func words(_ kind: EventKind, in events: [Event], from index: Int) -> String {
        events[index...].first { $0.kind.isLike(kind) }.map(words) ?? "\(kind.brief), which never happens"
    }
}

extension Found.Border {
    /// The limit, in words.
    package var words: String {
        switch quantity {
        case .condition(let quantity):
            "it breaks at \(quantity.words(breaking)), and does not at \(quantity.words(keeping))"
        case .time(let index):
            "it breaks if step \(index + 1) comes after \(seconds(breaking)), and does not after \(seconds(keeping))"
        }
    }

    private func seconds(_ milliseconds: Int) -> String {
        DecimalText.short(Double(milliseconds) / 1000, places: 3) + " s"
    }
}

extension Conditions.Quantity {
    fileprivate func words(_ value: Int) -> String {
        switch self {
        case .rate: "\(value) kbit/s"
        case .delay: "\(value) ms of delay"
        case .loss: "\(Double(value) / 10) % of packets lost"
        case .think: "\(value) ms until the server responds"
        }
    }
}

extension EventKind {
    /// True if it is relevant to people.
    fileprivate var isTold: Bool {
        switch self {
        case .platformRejected, .platformPaused, .platformOutput, .platformLifecycle, .platformRemoteCommand,
            .appTerminated, .itemReadyToPlay, .itemFailed, .itemPlayedToEnd, .itemStalled, .soundBegan, .soundEnded,
            .playerCommand, .appDecided, .seekEnded, .queueInserted:
            true
        default: false
        }
    }

    fileprivate func isLike(_ other: EventKind) -> Bool { brief == other.brief }

    /// The event and its object, in a few words.
    fileprivate var brief: String {
        switch self {
        case .platformRejected(let item, _): "the platform's rejection of \(item)"
        case .platformPaused(let item, _): "the platform's pause of \(item)"
        case .platformOutput(let isAudible, _): isAudible ? "the output's return" : "the silence of the output"
        case .platformLifecycle(let phase): phase
        case .platformRemoteCommand(let command, let sender): "the user's \(command) from \(sender)"
        case .appTerminated(let cause, _): cause == "crash" ? "the app's crash" : "the app's termination"
        case .itemReadyToPlay(let item, _): "\(item) being ready to play"
        case .itemFailed(let item, _, _, _): "the failure of \(item)"
        case .itemPlayedToEnd(let item): "the end of \(item)"
        case .itemStalled(let item, _): "a stall of \(item)"
        case .soundBegan(let item, _): "the audio of \(item)"
        case .soundEnded(let item, _, _): "the end of the audio of \(item)"
        case .playerCommand(let name, _): "the app's \(name)"
        case .appDecided(_, let decision, _): "the app's decision to \(decision)"
        case .seekEnded(let item, _, _): "the end of the seek in \(item)"
        case .queueInserted(let item, _): "the insertion of \(item)"
        default: record.name
        }
    }
}
