package import SegueBase

/// The facts of a WebVTT segment that the rules need.
package struct SubtitleFacts: Sendable, Equatable {
    package struct Cue: Sendable, Equatable {
        /// The start in seconds.
        package var start: Rational
        /// The end in seconds.
        package var end: Rational
        /// The payload without settings.
        package var text: String

        package init(_ start: Rational, _ end: Rational, text: String) {
            (self.start, self.end, self.text) = (start, end, text)
        }
    }

    /// The offset from cue time to media time in seconds; nil without a timestamp map.
    package var map: Rational?

    /// The value of `X-TIMESTAMP-MAP`; nil without one.
    package var mapText: String?

    /// True if `MPEGTS` exceeds the 33 bits of the transport stream clock.
    package var exceedsClock = false

    package var cues: [Cue] = []

    /// The problem of the first malformed cue; nil if all cues are well formed.
    package var problem: Message?

    package init(map: Rational? = nil, cues: [Cue] = []) { (self.map, self.cues) = (map, cues) }

    /// The cues in media time; nil without a timestamp map.
    var timed: [Cue]? {
        map.map { map in cues.map { Cue($0.start + map, $0.end + map, text: $0.text) } }
    }

    /// Parses a segment.
    package init(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
        var index = 0
        // W3C WebVTT, 4.1: an empty line ends the header.
        var isInHeader = true
        while index < lines.count {
            let line = lines[index]
            index += 1
            if line.isEmpty { isInHeader = false }
            if line.hasPrefix("X-TIMESTAMP-MAP="), mapText == nil { readMap(line.dropFirst(16)) }
            guard line.contains("-->") else { continue }
            if isInHeader { problem = "no empty line separates the header from the first cue" }
            isInHeader = false
            let text = lines[index...].prefix { !$0.isEmpty && !$0.contains("-->") }
            index += text.count
            let times = line.split(separator: " ").filter { $0 != "-->" }.prefix(2).map(Self.time)
            guard times.count == 2, let start = times[0], let end = times[1], line.contains(" --> ") else {
                problem = problem ?? "the cue times \(value: line.prefix(60).debugDescription) are malformed"
                continue
            }
            if end <= start {
                problem = problem ?? "the cue \(value: line.prefix(60).debugDescription) does not end after its start"
            }
            cues.append(Cue(start, end, text: text.joined(separator: "\n")))
        }
    }

    private mutating func readMap(_ text: Substring) {
        var (local, media): (Rational?, Int64?)
        for part in text.split(separator: ",") {
            if part.hasPrefix("LOCAL:") { local = Self.time(part.dropFirst(6)) }
            if part.hasPrefix("MPEGTS:") { media = Int64(part.dropFirst(7)) }
        }
        mapText = String(text.prefix(80))
        // Media times of any clock are less than 2^56 ticks.
        guard let local, let media, (0..<(1 << 56)).contains(media) else { return }
        exceedsClock = media >= 1 << 33
        map = Rational(media, 90_000) - local
    }

    /// Parses `HH:MM:SS.mmm` with optional hours.
    private static func time(_ text: Substring) -> Rational? {
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[1].count == 3, let milliseconds = Int64(halves[1]), milliseconds >= 0 else {
            return nil
        }
        let parts = halves[0].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var seconds: Int64 = 0
        for (place, part) in parts.enumerated() {
            let isHours = parts.count == 3 && place == 0
            guard let number = Int64(part), part.count >= 2, part.count <= 6, (0..<60).contains(number) || isHours,
                number >= 0
            else { return nil }
            seconds = seconds * 60 + number
        }
        return Rational(seconds * 1000 + milliseconds, 1000)
    }
}
