import SegueBase

@testable import SeguePlayerModel

/// A break between two audible stretches, or a change of audio without silence.
struct Break {
    let before: AudioTrail.Stretch
    let after: AudioTrail.Stretch

    /// The duration of silence.
    var silence: Duration { after.began - before.ended }

    /// The duration of the source that was never heard; negative if it was heard twice.
    var skipped: Duration { after.start - before.end }

    /// The reason for the end of the audio before it.
    var reason: String { before.reason }
}

extension AudioTrail {
    /// The breaks between completed audible stretches.
    var breaks: [Break] {
        let heard = stretches.filter(\.isHeard)
        return zip(heard, heard.dropFirst()).map(Break.init).filter {
            $0.silence != .zero || $0.skipped != .zero || $0.before.item != $0.after.item
        }
    }
}
