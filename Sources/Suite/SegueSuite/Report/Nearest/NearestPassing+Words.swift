internal import SegueBase
internal import SeguePlayerModel

extension NearestPassing {
    /// The comparison in sentences: the case and the ways, then the parting.
    package var sentences: [String] {
        let partingWords = comparison.parting.map { "until \(Self.seconds($0.failing ?? 0))" } ?? "to the end"
        let ways = "\(Self.ways(comparison.ways)) \(partingWords)"
        return ["passes with \(passingWords) instead of \(failingWords): \(ways)", partingSentence].compactMap(\.self)
    }

    /// The actors that took the same transitions, then the others with the number that differs.
    private static func ways(_ ways: [TraceComparison.Way]) -> String {
        let same = ways.filter { $0.isSame && $0.shared > 0 }
        let others = ways.filter { !$0.isSame }.map { way in
            "the \(way.actor.rawValue)'s differ in \(way.onlyFailing.count + way.onlyPassing.count)"
        }
        let shared = same.reduce(0) { $0 + $1.shared }
        let names = same.map { "the \($0.actor.rawValue)" }
        let all = names.count == Transition.Actor.allCases.count
        let subject = all ? "the app, the platform, and the player" : names.joined(separator: " and ")
        let transitions = "\(shared) transition\(shared == 1 ? "" : "s")"
        let equal = same.isEmpty ? [] : ["\(subject) took the same \(transitions)"]
        return (equal + others).joined(separator: ", ")
    }

    private var partingSentence: String? {
        guard let parting = comparison.parting, let at = parting.failing else { return nil }
        let start = comparison.origin
        let (failing, passing) = (failingWords, passingWords)
        var sentence = "they part with \(parting.noun)"
        if let start, let began = start.failing {
            sentence += ", \(Self.milliseconds(at - began)) after \(start.noun)"
        }
        if let there = parting.passing {
            sentence += start?.passing.map { ", instead of \(Self.milliseconds(there - $0))" } ?? ""
            return sentence + " with \(passing)"
        }
        guard let missed = comparison.missed, let there = missed.passing else {
            return sentence + ", which does not happen with \(passing)"
        }
        let (begun, origin) = (start?.failing ?? 0, start?.passing ?? 0)
        let name = start?.noun ?? "the start"
        sentence += "; \(missed.noun) came \(Self.relation(there - origin, name)) with \(passing)"
        return sentence
            + (missed.failing.map { ", and \(Self.relation($0 - begun, name)) with \(failing)" }
                ?? ", and had not come with \(failing)")
    }

    private static func relation(_ seconds: Double, _ name: String) -> String {
        "\(milliseconds(abs(seconds))) \(seconds < 0 ? "before" : "after") \(name)"
    }

    private static func seconds(_ seconds: Double) -> String { "\(DecimalText.short(seconds, places: 3)) s" }

    private static func milliseconds(_ seconds: Double) -> String {
        "\(DecimalText.short((seconds * 1000).rounded(), places: 0)) ms"
    }
}

extension TraceComparison.Moment {
    /// The step as a noun.
    var noun: String {
        let item = item ?? "the item"
        switch transition.machine {
        case .calls, .controls, .lifeCycle: return transition.to
        case .policy: return "the app's \(transition.from == "start" ? "first " : "")decision: \(transition.to)"
        case .backgroundTask: return "the background task's state \(transition.to)"
        case .mediaService where transition.to == "rejection": return "the rejection of \(item)"
        case .mediaService where transition.event == "platform.belief":
            return "the media service's judgment of \(item)"
        case .mediaService: return "the platform's pause of \(item)"
        case .declaration: return "the app's declaration \(transition.to)"
        case .output: return "the app's audio \(transition.to)"
        case .otherAudio: return "the audio of another app \(transition.to == "none" ? "ending" : "beginning")"
        case .route: return "the route \(transition.to)"
        case .playback: return "the player's state \(transition.to)"
        case .audio: return transition.to == "audible" ? "the audio of \(item)" : "the end of the audio of \(item)"
        case .queue: return "the queue of \(transition.to)"
        case .seek: return "a seek in \(item)"
        case .buffer: return "a stall of \(item)"
        case .item:
            switch transition.to {
            case "first segment": return "the first segment of \(item)"
            case "tracks known": return "the tracks of \(item)"
            case "failed": return "the failure of \(item)"
            default: return "\(item) \(transition.to)"
            }
        }
    }
}
