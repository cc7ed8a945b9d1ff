internal import Foundation
internal import SegueBase
internal import SegueData

/// A reader of WebVTT files, which are served with their styles, regions, cue settings, and tags.
enum WebVTTText {
    /// The maximum number of cues.
    private static let greatestCount = 100_000

    /// Reads the cues that start before the end of a plan; nil if the text is not WebVTT.
    static func sheet(of bytes: [UInt8], until end: Rational) -> CueSheet? {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard let head = lines.first, head == "WEBVTT" || head.hasPrefix("WEBVTT ") || head.hasPrefix("WEBVTT\t")
        else { return nil }
        var sheet = CueSheet()
        for block in lines.drop(while: { !$0.isEmpty }).split(whereSeparator: \.isEmpty) {
            guard let first = block.first else { continue }
            if let cue = cue(block) ?? cue(block.dropFirst()) {
                if cue.start < end, sheet.cues.count < greatestCount { sheet.cues.append(cue) }
            } else if ["STYLE", "REGION"].contains(word(first)) {
                sheet.blocks.append(block.map(plain).joined(separator: "\n"))
            }
        }
        sheet.cues = sheet.cues.enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        return sheet
    }

    /// The cue of a block without its identifier; nil if the block is none.
    private static func cue(_ block: ArraySlice<Substring>) -> Cue? {
        guard let timing = block.first, let arrow = timing.range(of: "-->"),
            let start = time(timing[..<arrow.lowerBound])
        else { return nil }
        let rest = timing[arrow.upperBound...].split(whereSeparator: \.isWhitespace)
        let text = block.dropFirst().map(plain).joined(separator: "\n")
        guard let end = rest.first.flatMap(time), end > start, !text.isEmpty else { return nil }
        return Cue(start: start, end: end, text: text, settings: plain(rest.dropFirst().joined(separator: " ")))
    }

    /// Reads `HH:MM:SS.mmm` or `MM:SS.mmm`.
    private static func time(_ text: Substring) -> Rational? {
        let parts = text.split(whereSeparator: \.isWhitespace).joined().split(separator: ":")
        guard (2...3).contains(parts.count), let last = parts.last, let seconds = Rational(decimal: String(last)),
            seconds >= .zero, seconds < Rational(60)
        else { return nil }
        var minutes: Int64 = 0
        for part in parts.dropLast() {
            guard let number = Int64(part), (0..<1_000_000).contains(number) else { return nil }
            minutes = minutes * 60 + number
        }
        return Rational(minutes * 60) + seconds
    }

    private static func word(_ line: Substring) -> String {
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A line without control characters, which no player needs.
    private static func plain(_ line: some StringProtocol) -> String {
        String(
            line.map { character in
                character.unicodeScalars.contains { $0.value < 32 && $0 != "\t" } ? " " : character
            }
        )
    }
}
