/// What a picture of a run shows, taken from its log; times are seconds since the run began.
package struct RunStory: Sendable, Codable, Equatable {
    /// A stretch of time.
    package struct Span: Sendable, Codable, Equatable {
        /// When it begins.
        package var from: Double
        /// When it ends.
        package var to: Double
        /// What it is.
        package var label: String

        /// A stretch of time.
        package init(from: Double, to: Double, label: String) {
            (self.from, self.to, self.label) = (from, to, label)
        }
    }

    /// A stretch in which an item was played without a break.
    package struct Stretch: Sendable, Codable, Equatable {
        /// When it begins.
        package var from: Double
        /// When it ends.
        package var to: Double
        /// The item's name.
        package var item: String
        /// The place in the item at which it begins, in seconds.
        package var start: Double
        /// The place in the item at which it ends, in seconds.
        package var end: Double
        /// What ended it; empty where the log ends before it does.
        package var reason: String
    }

    /// An item's time in the queue.
    package struct Item: Sendable, Codable, Equatable {
        /// Its name.
        package var name: String
        /// Its address.
        package var url: String
        /// When it was put into the queue.
        package var from: Double
        /// When it left the queue.
        package var to: Double
        /// When it began to load; nil when it never did.
        package var loading: Double?
        /// When it was ready to play; nil when it never was.
        package var ready: Double?
        /// When it failed; nil when it did not.
        package var failed: Double?
        /// When it was the current item.
        package var current: [Span] = []
    }

    /// One request.
    package struct Request: Sendable, Codable, Equatable {
        /// How it ended.
        package enum Outcome: String, Sendable, Codable {
            case finished, failed, cancelled, open
        }

        /// When it was sent.
        package var from: Double
        /// When the head of its answer came; nil when none did.
        package var answered: Double?
        /// When it was over.
        package var to: Double
        /// What was asked for: a playlist, a segment, an initialization.
        package var kind: String
        /// How it ended.
        package var outcome = Outcome.open
        /// How many bytes came.
        package var bytes = 0
    }

    /// A value that is known from an instant on.
    package struct Point: Sendable, Codable, Equatable {
        /// When.
        package var at: Double
        /// How much.
        package var value: Double
    }

    /// A moment worth a look.
    package struct Mark: Sendable, Codable, Equatable {
        /// How much it matters; of too many, the least are left out.
        package enum Weight: Int, Sendable, Codable, Comparable {
            case detail, step, decision, error

            package static func < (left: Weight, right: Weight) -> Bool { left.rawValue < right.rawValue }
        }

        /// The kinds that a closer look selects by.
        package enum Kind: String, Sendable, Codable { case rejection, stall }

        package var at: Double
        /// A sentence about the event.
        package var label: String
        /// One or two words where there is little room; empty where the mark's number suffices.
        package var short = ""
        package var weight: Weight
        package var kind: Kind?
    }

    /// The part of a run that a finding is about.
    package enum Subject: Sendable, Codable, Equatable {
        /// The finding's own time.
        case moment
        /// A position in the item, in seconds.
        case position(Double)
        /// The wait for the first sound.
        case start
        /// The longest stall.
        case stall
        /// The longest silence.
        case silence
        /// The first error.
        case error
        /// The request with the latest first byte.
        case slowestRequest
        /// The time after the user leaves the app.
        case background
        /// The last event before the end of the run.
        case ending
    }

    /// A rule's violation in the run.
    package struct Finding: Sendable, Codable, Equatable {
        package var rule: String
        package var message: String
        /// The time of the event that it is about, or the end of the run.
        package var at: Double
        /// The part of the run that it is about; nil for the whole run, and for findings that only a log records.
        package var subject: Subject?

        package init(rule: String, message: String, at: Double, subject: Subject? = nil) {
            (self.rule, self.message, self.at, self.subject) = (rule, message, at, subject)
        }
    }

    /// How long the run took.
    package var end = 0.0
    /// What rules found, in their order.
    package var findings: [Finding] = []
    /// The phases of the app's life.
    package var phases: [Span] = []
    /// What the player did: `playing`, `paused`, or `waiting` with the reason.
    package var control: [Span] = []
    /// The items, in the order in which they came into the queue.
    package var items: [Item] = []
    /// When sound was heard.
    package var sound: [Stretch] = []
    /// When pictures were played.
    package var pictures: [Stretch] = []
    /// Seconds of media ahead of the playhead of the current item; straight lines join the points.
    package var buffer: [Point] = []
    /// When playback was likely to keep up.
    package var keepingUp: [Span] = []
    /// Every request, in the order in which they were sent.
    package var requests: [Request] = []
    /// What else is worth a look.
    package var marks: [Mark] = []
    /// When playing was first wished for; nil when it never was.
    package var wished: Double?
}

extension RunStory {
    /// Whether there is nothing to draw: nothing was asked for, and nothing played.
    package var hasNothing: Bool { items.isEmpty && requests.isEmpty && control.isEmpty && sound.isEmpty }

    /// When anything was played, sound or pictures: the playhead's course.
    package var played: [Stretch] {
        var all = sound
        for stretch in pictures where !sound.contains(where: { $0.covers(stretch) }) { all.append(stretch) }
        return all.sorted { $0.from < $1.from }
    }

    /// When nothing was heard though playing was wished for, with what it was: the start, or a silence.
    package var silences: [Span] {
        guard let wished, !sound.isEmpty else { return [] }
        var silences: [Span] = []
        var last = wished
        for stretch in sound {
            if stretch.from - last > 0.0005 {
                silences.append(Span(from: last, to: stretch.from, label: last == wished ? "start" : "silence"))
            }
            last = max(last, stretch.to)
        }
        // What follows the last sound of an item that was played to its end is no silence.
        if end - last > 0.0005, sound.last?.reason != "end" {
            silences.append(Span(from: last, to: end, label: "silence"))
        }
        return silences
    }
}

extension RunStory.Stretch {
    fileprivate func covers(_ other: RunStory.Stretch) -> Bool {
        item == other.item && from <= other.from && to >= other.to
    }
}
