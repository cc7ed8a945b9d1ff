internal import SegueBase
internal import SegueFFmpeg

extension SourceDamage {
    /// What is lost, in one line; nil where nothing is.
    ///
    /// - Parameters:
    ///   - origin: The file's time at which the plan begins, in seconds.
    ///   - end: The end of what is planned, and of what the container claims, in seconds from there.
    ///   - isAllDelivered: True if all that libav decodes of the file was delivered.
    /// - Returns: The line.
    package func words(origin: Double, end: (planned: Double, claimed: Double?), isAllDelivered: Bool) -> String? {
        guard !isNone else { return nil }
        let ordered = tracks.sorted { $0.key < $1.key }.map(\.value)
        var parts: [String] = []
        for track in ordered {
            parts += [
                Self.part(track.lost, of: track, failure: "cannot be decoded", origin: origin),
                Self.part(track.marred, of: track, failure: "cannot be decoded without error", origin: origin),
            ].compactMap(\.self)
            if let from = track.sampledFrom, track.words != nil {
                parts.append("from \(Self.number(from - origin)) s on only keyframes were looked at")
            }
        }
        if readingWords != nil, let claimed = end.claimed, claimed > end.planned + 1 {
            parts.append("it ends after \(Self.number(end.planned)) of \(Self.number(claimed)) s")
        }
        if parts.isEmpty { parts.append("libav complains") }
        let said = [readingWords] + ordered.map(\.words)
        let line = "the file is damaged: \(parts.joined(separator: ", and ")) (\(said.compactMap(\.self)[0]))"
        return isAllDelivered ? line + "; of what libav decodes of it nothing is missing" : line
    }

    /// Why nothing of the file can be played; nil where something can.
    package var wordsForNothing: String? {
        guard isEverything else { return nil }
        let parts = tracks.sorted { $0.key < $1.key }.map { _, track in
            "libav decodes nothing of its \(track.kind == .video ? "film" : "sound") (\(track.codec)): \(track.words ?? "")"
        }
        return parts.joined(separator: "; ")
    }

    private static func part(_ loss: Loss, of track: Track, failure: String, origin: Double) -> String? {
        guard loss.packets > 0 else { return nil }
        let place = loss.first.map { ", first at \(number(max(0, $0 - origin))) s" } ?? ""
        let amount =
            track.kind == .video
            ? "\(loss.packets) of \(track.whole.packets) pictures"
            : track.whole.seconds > 0
                ? "\(number(loss.seconds)) of \(number(track.whole.seconds)) s of sound"
                : "\(loss.packets) of \(track.whole.packets) packets of sound"
        return "\(amount) \(failure)\(place)"
    }

    private static func number(_ seconds: Double) -> String {
        DecimalText.short(seconds, places: 3)
    }
}
