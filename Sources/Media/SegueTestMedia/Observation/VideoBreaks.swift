/// Describes the gap between two sections of video.
enum VideoBreaks {
    static func breaks(between stretches: [VideoStretch], in recording: Recording) -> [Observation.Break] {
        var rest = recording.showings[...]
        return zip(stretches, stretches.dropFirst()).map { before, after in
            let (start, end) = (before.end, max(after.start, before.end))
            while let first = rest.first, first.last + recording.frameInterval <= start { rest.removeFirst() }
            var (dark, unreadable) = (0.0, 0.0)
            for showing in rest.prefix(while: { $0.first < end }) {
                // An image lasts until the next one.
                let length = min(showing.last + recording.frameInterval, end) - max(showing.first, start)
                switch showing.look {
                case .dark: dark += max(length, 0)
                case .unreadable: unreadable += max(length, 0)
                case .number: break
                }
            }
            return Observation.Break(
                medium: .video,
                start: start,
                end: end,
                frozen: max(end - start - dark - unreadable, 0),
                empty: dark,
                unknown: unreadable,
                jump: before.title == after.title ? after.video.source - before.video.sourceEnd : nil
            )
        }
    }
}
