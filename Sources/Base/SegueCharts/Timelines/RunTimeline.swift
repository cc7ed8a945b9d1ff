/// The timeline of a run, taken from its log; times are seconds since the run began.
package struct RunTimeline: Sendable, Codable, Equatable {
    /// A time range with a label.
    package struct Span: Sendable, Codable, Equatable {
        package var from: Double
        package var to: Double
        package var label: String
        /// A reason that is shown where there is room.
        package var detail: String?

        package init(from: Double, to: Double, label: String, detail: String? = nil) {
            (self.from, self.to, self.label, self.detail) = (from, to, label, detail)
        }

        /// The label with its detail.
        var words: String { detail.map { "\(label): \($0)" } ?? label }
    }

    /// A time range in which an item played without interruption.
    package struct Stretch: Sendable, Codable, Equatable {
        package var from: Double
        package var to: Double
        package var item: String
        /// The position in the item at which it begins, in seconds.
        package var start: Double
        /// The position in the item at which it ends, in seconds.
        package var end: Double
        /// The reason for its end; empty if the log ends first.
        package var reason: String
    }

    /// The life of an item in the queue.
    package struct Item: Sendable, Codable, Equatable {
        package var name: String
        package var url: String
        /// The time at which it was inserted.
        package var from: Double
        /// The time at which it was removed.
        package var to: Double
        /// The time at which it began to load, if it did.
        package var loading: Double?
        /// The time at which it became ready to play, if it did.
        package var ready: Double?
        /// The time at which it failed, if it did.
        package var failed: Double?
        /// The times during which it was the current item.
        package var current: [Span] = []
    }

    package struct Request: Sendable, Codable, Equatable {
        package enum Outcome: String, Sendable, Codable {
            case finished, failed, cancelled, open
        }

        /// The time at which it was sent.
        package var from: Double
        /// The time of the response's head; nil without one.
        package var answered: Double?
        /// The time at which it ended.
        package var to: Double
        /// The kind of resource: a playlist, a segment, an initialization section.
        package var kind: String
        package var outcome = Outcome.open
        /// The number of bytes received.
        package var bytes = 0
    }

    /// A value at an instant.
    package struct Point: Sendable, Codable, Equatable {
        package var at: Double
        package var value: Double
    }

    /// An event worth showing.
    package struct Mark: Sendable, Codable, Equatable {
        /// The importance of a mark; the least important ones are omitted first.
        package enum Weight: Int, Sendable, Codable, Comparable {
            case detail, step, decision, error

            package static func < (left: Weight, right: Weight) -> Bool { left.rawValue < right.rawValue }
        }

        /// The kinds of marks that a closer look searches for.
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
        /// The wait for the first audio.
        case start
        case stall
        case silence
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

    /// The duration of the run.
    package var end = 0.0
    package var findings: [Finding] = []
    /// The lifecycle phases of the app.
    package var phases: [Span] = []
    /// The states of the player: `playing`, `paused`, or `waiting` with its reason.
    package var control: [Span] = []
    /// The items in the order of their insertion.
    package var items: [Item] = []
    /// The times during which audio was heard.
    package var audio: [Stretch] = []
    /// The times during which video played.
    package var video: [Stretch] = []
    /// Seconds of media ahead of the current item's playhead; lines connect the points.
    package var buffer: [Point] = []
    /// The times during which playback was likely to keep up.
    package var keepingUp: [Span] = []
    /// All requests in the order of sending.
    package var requests: [Request] = []
    package var marks: [Mark] = []
    /// The time of the first intent to play, if there was one.
    package var wished: Double?
}

extension RunTimeline {
    /// True if there is nothing to draw: no request and no playback.
    package var hasNothing: Bool { items.isEmpty && requests.isEmpty && control.isEmpty && audio.isEmpty }

    /// The times during which audio or video played: the movement of the playhead.
    package var played: [Stretch] {
        var all = audio
        for stretch in video where !audio.contains(where: { $0.covers(stretch) }) { all.append(stretch) }
        return all.sorted { $0.from < $1.from }
    }

    /// The times without audio after the intent to play, labeled `start` or `silence`.
    package var silences: [Span] {
        guard let wished, !audio.isEmpty else { return [] }
        var silences: [Span] = []
        var last = wished
        for stretch in audio {
            if stretch.from - last > 0.0005 {
                silences.append(Span(from: last, to: stretch.from, label: last == wished ? "start" : "silence"))
            }
            last = max(last, stretch.to)
        }
        // The end of an item that played through is not a silence.
        if end - last > 0.0005, audio.last?.reason != "end" {
            silences.append(Span(from: last, to: end, label: "silence"))
        }
        return silences
    }
}

extension RunTimeline.Stretch {
    fileprivate func covers(_ other: RunTimeline.Stretch) -> Bool {
        item == other.item && from <= other.from && to >= other.to
    }
}
