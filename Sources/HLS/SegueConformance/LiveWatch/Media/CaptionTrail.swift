internal import SegueBase
internal import SeguePlaylists

/// The closed captions that a multivariant playlist declares for a variant.
enum DeclaredCaptions: Sendable, Hashable {
    /// No attribute, or several variants that differ.
    case unknown
    /// The video has none, by `CLOSED-CAPTIONS=NONE`.
    case none
    /// The values of `INSTREAM-ID`.
    case channels(Set<String>)

    /// The declaration of a variant.
    init(_ variant: Variant, in playlist: MultivariantPlaylist) {
        switch variant.closedCaptionsGroup {
        case nil: self = .unknown
        case "NONE": self = .none
        case let group?:
            let members = playlist.renditions.filter { $0.kind == .closedCaptions && $0.group == group }
            self = .channels(Set(members.compactMap(\.instreamID)))
        }
    }
}

/// The closed captions in the samples of one playlist over time.
struct CaptionTrail: Sendable {
    private struct Channel {
        /// The number of samples with the channel.
        var count = 0
        /// The time of the last sample with it, or of the first sample.
        var last: Instant
        /// The number of samples since then.
        var missed = 0
    }

    /// Choice: pauses of dialog and advertisements without captions are shorter.
    private static let patience = Duration.seconds(180)
    private static let leastMissed = 5
    /// The number of samples after which a channel is expected.
    private static let leastCount = 3
    /// All channels and services that `INSTREAM-ID` can name.
    private static let limit = 67

    private let declared: DeclaredCaptions
    private var channels: [String: Channel] = [:]
    private var hasBegun = false

    init(_ declared: DeclaredCaptions) { self.declared = declared }

    /// Handles the captions of a sample; returns the breaches that it shows.
    mutating func take(_ found: Set<String>, number: Int, at now: Instant) -> [Breach] {
        if !hasBegun, case .channels(let names) = declared {
            for name in names.sorted().prefix(Self.limit) { channels[name] = Channel(last: now) }
        }
        hasBegun = true
        for name in found.sorted() where channels[name] != nil || channels.count < Self.limit {
            let count = channels[name]?.count ?? 0
            channels[name] = Channel(count: count + 1, last: now)
        }
        for name in channels.keys where !found.contains(name) { channels[name]?.missed += 1 }
        return denied(found, number) + missing(number, at: now)
    }

    private func denied(_ found: Set<String>, _ number: Int) -> [Breach] {
        guard declared == .none, !found.isEmpty else { return [] }
        let names = found.sorted().joined(separator: ", ")
        let message: Message = "the video has closed captions (\(names)), CLOSED-CAPTIONS is NONE"
        return [Breach(CaptionRules.denied.rule, message, segment: number)]
    }

    private func missing(_ number: Int, at now: Instant) -> [Breach] {
        let late = channels.filter { name, channel in
            channel.missed >= Self.leastMissed && now - channel.last >= Self.patience
                && (channel.count >= Self.leastCount || channel.count == 0)
        }
        guard let (name, channel) = late.min(by: { $0.key < $1.key }) else { return [] }
        let time = DisplayText.seconds((now - channel.last).seconds)
        let message: Message =
            channel.count == 0
            ? "no captions of \(value: name) in \(channel.missed) samples within \(time), which INSTREAM-ID declares"
            : "no captions of \(value: name) in the last \(channel.missed) samples within \(time), "
                + "\(channel.count) earlier ones have them"
        let others: Message = late.count > 1 ? ", and of \(late.count - 1) other channels" : ""
        return [Breach(SampleRules.captions, message + others, segment: number)]
    }
}
