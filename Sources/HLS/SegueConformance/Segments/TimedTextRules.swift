internal import SegueBase

/// The rules on TTML subtitles in fragmented MP4.
enum TimedTextRules {
    static let all: [Check<MediaSubject>] = [times, clock]

    /// The text of a segment with the time of the segment.
    private struct Text {
        /// Captions may start a little before their segment, and end after it.
        private static let tolerance = Rational(1, 2)

        let segment: SegmentFacts
        let facts: TimedTextFacts
        let start: Rational
        let length: Rational

        init?(_ segment: SegmentFacts) {
            guard let facts = segment.timedText, let track = segment.tracks.first(where: { $0.codec == "ttml" }),
                let start = track.start, let length = track.duration, length > .zero
            else { return nil }
            (self.segment, self.facts, self.start, self.length) = (segment, facts, start, length)
        }

        /// The distance in seconds from the segment to its text, negative if the text is early; zero if they overlap.
        var distance: Rational {
            if facts.end < start - Self.tolerance { return facts.end - start }
            if facts.begin > start + length + Self.tolerance { return facts.begin - start - length }
            return .zero
        }

        /// True if the times fit the segment if they count from its start.
        var fitsFromStart: Bool { facts.end <= length + Self.tolerance }
    }

    static let times = Check<MediaSubject>(
        Rule(
            "ttml-time",
            in: .timeline,
            clauses: "M14496-30",
            .must,
            requires: "the times of TTML count on the media timeline, and lie within the time of the segment",
            fix: "write begin and end of the text as times of the media timeline, with the start of the segment added"
        )
    ) { subject in
        let texts = subject.segments.compactMap(Text.init)
        // At the start of the timeline, relative times are right.
        let later = texts.filter { $0.start > $0.length }
        // A packager may repeat text in segments of other times, but then some text fits its segment.
        if later.count > 1, later.allSatisfy({ $0.distance < .zero && $0.fitsFromStart }) {
            return later.map { violation($0, in: subject, "the times of the text count from the start of its segment") }
        }
        guard texts.count > 1, texts.allSatisfy({ $0.distance != .zero }) else { return [] }
        return texts.map { text in
            let distance = DisplayText.seconds(text.distance.magnitude)
            let side: Message = text.distance < .zero ? "ends \(distance) before" : "starts \(distance) after"
            return violation(text, in: subject, "the text \(side) its segment, so its clock has another origin")
        }
    }

    private static func violation(_ text: Text, in subject: MediaSubject, _ cause: Message) -> Violation {
        let shown: Message = "\(DisplayText.seconds(text.facts.begin)) to \(DisplayText.seconds(text.facts.end))"
        let end = text.start + text.length
        let expected: Message = "\(DisplayText.seconds(text.start)) to \(DisplayText.seconds(end))"
        let message: Message = "\(cause): it is shown from \(shown), the segment from \(expected)"
        return Violation(subject.place(text.segment), message)
    }

    static let clock = Check<MediaSubject>(
        Rule(
            "ttml-clock",
            in: .timeline,
            clauses: "MIMSC1",
            .must,
            requires:
                "TTML has ttp:timeBase media, ttp:frameRate if a time has frames, and ttp:tickRate if a time has ticks",
            fix: "write times such as 00:00:12.500, which need no rate, and remove ttp:timeBase"
        )
    ) { subject in
        subject.segments.compactMap { segment in
            guard let text = segment.timedText else { return nil }
            if let base = text.otherTimeBase {
                return Violation(
                    subject.place(segment),
                    "ttp:timeBase is \(value: base.debugDescription), expected media"
                )
            }
            return text.unratedTime.map { time in
                let rate = time.hasSuffix("t") ? "ttp:tickRate" : "ttp:frameRate"
                let message: Message = "\(rate) is missing, which the time \(value: time.debugDescription) needs"
                return Violation(subject.place(segment), message)
            }
        }
    }
}
