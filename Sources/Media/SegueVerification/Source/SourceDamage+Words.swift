package import SegueBase
internal import SegueFFmpeg

extension SourceDamage {
    /// A one-line description of the loss; nil if nothing is lost.
    ///
    /// Times are seconds from the plan's start at `origin` in the file.
    package func words(origin: Double, end: (planned: Double, claimed: Double?), isAllDelivered: Bool) -> Message? {
        guard !isNone else { return nil }
        let ordered = tracks.sorted { $0.key < $1.key }.map(\.value)
        var parts: [Message] = []
        for track in ordered {
            parts += [
                Self.part(track.lost, of: track, failure: "cannot be decoded", origin: origin),
                Self.part(track.marred, of: track, failure: "cannot be decoded without error", origin: origin),
            ].compactMap(\.self)
            if let from = track.sampledFrom, track.words != nil {
                parts.append("only keyframes were checked after \(Self.number(from - origin)) s")
            }
        }
        if readingWords != nil, let claimed = end.claimed, claimed > end.planned + 1 {
            parts.append("it ends after \(Self.number(end.planned)) s of the declared \(Self.number(claimed)) s")
        }
        if parts.isEmpty { parts.append("libav reports an error") }
        let said = [readingWords] + ordered.map(\.words)
        let line: Message =
            "the file is damaged: \(parts.joined(separator: ", and ")) (\(quoting: said.compactMap(\.self)[0]))"
        return isAllDelivered ? line + "; everything that libav can decode was delivered" : line
    }

    /// The reason why nothing in the file is playable; nil if anything is.
    package var wordsForNothing: Message? {
        guard isEverything else { return nil }
        let parts = tracks.sorted { $0.key < $1.key }.map { _, track -> Message in
            "libav cannot decode any of the \(track.kind == .video ? "video" : "audio") (\(track.codec)): \(quoting: track.words ?? "")"
        }
        return parts.joined(separator: "; ")
    }

    private static func part(_ loss: Loss, of track: Track, failure: String, origin: Double) -> Message? {
        guard loss.packets > 0 else { return nil }
        let place: Message = loss.first.map { ", first at \(number(max(0, $0 - origin))) s" } ?? ""
        let amount: Message =
            track.kind == .video
            ? "\(loss.packets) of \(track.whole.packets) frames"
            : track.whole.seconds > 0
                ? "\(number(loss.seconds)) of \(number(track.whole.seconds)) s of audio"
                : "\(loss.packets) of \(track.whole.packets) packets of audio"
        return "\(amount) \(failure)\(place)"
    }

    private static func number(_ seconds: Double) -> Message { "\(seconds, places: 3)" }
}
