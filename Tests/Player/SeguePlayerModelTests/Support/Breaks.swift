import SegueBase

@testable import SeguePlayerModel

/// A break between what was heard before and after, or a place where something else was heard at once.
struct Break {
    let before: AudioTrail.Stretch
    let after: AudioTrail.Stretch

    /// How long nothing was heard.
    var silence: Duration { after.began - before.ended }

    /// How much of the source was never heard; below zero, how much was heard twice.
    var skipped: Duration { after.start - before.end }

    /// What ended the sound before it.
    var reason: String { before.reason }
}

extension AudioTrail {
    /// The breaks between stretches that are over and were heard.
    var breaks: [Break] {
        let heard = stretches.filter(\.isHeard)
        return zip(heard, heard.dropFirst()).map(Break.init).filter {
            $0.silence != .zero || $0.skipped != .zero || $0.before.item != $0.after.item
        }
    }
}
