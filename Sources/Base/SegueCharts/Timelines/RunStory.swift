/// The timeline of a run for a chart, taken from its log; times are in seconds since the run began.
package struct RunStory: Sendable, Codable, Equatable {
    /// A labeled time range.
    package struct Span: Sendable, Codable, Equatable {
        package var from: Double
        package var to: Double
        package var label: String

        package init(from: Double, to: Double, label: String) {
            (self.from, self.to, self.label) = (from, to, label)
        }
    }

    /// A time range in which an item played without interruption.
    package struct Stretch: Sendable, Codable, Equatable {
        package var from: Double
        package var to: Double
        /// The item's name.
        package var item: String
        /// The position in the item at the beginning, in seconds.
        package var start: Double
        /// The position in the item at the end, in seconds.
        package var end: Double
        /// The reason for the end; empty if the log ends first.
        package var reason: String
    }

    /// The time of an item in the queue.
    package struct Item: Sendable, Codable, Equatable {
        package var name: String
        package var url: String
        /// The time at which it entered the queue.
        package var from: Double
        /// The time at which it left the queue.
        package var to: Double
        /// The time at which it began to load; nil if it never did.
        package var loading: Double?
        /// The time at which it was ready to play; nil if it never was.
        package var ready: Double?
        /// The time at which it failed; nil if it did not.
        package var failed: Double?
        /// The time ranges in which it was the current item.
        package var current: [Span] = []
    }

    package struct Request: Sendable, Codable, Equatable {
        package enum Outcome: String, Sendable, Codable {
            case finished, failed, cancelled, open
        }

        /// The time at which it was sent.
        package var from: Double
        /// The time at which the head of the response arrived; nil without a response.
        package var answered: Double?
        /// The time at which it ended.
        package var to: Double
        /// The kind of resource: a playlist, a segment, or an initialization section.
        package var kind: String
        package var outcome = Outcome.open
        /// The number of bytes received.
        package var bytes = 0
    }

    /// A value that holds from a time on.
    package struct Point: Sendable, Codable, Equatable {
        package var at: Double
        package var value: Double
    }

    /// A notable moment.
    package struct Mark: Sendable, Codable, Equatable {
        /// The importance; if there are too many marks, the least important are omitted.
        package enum Weight: Int, Sendable, Codable, Comparable {
            case detail, step, decision, error

            package static func < (left: Weight, right: Weight) -> Bool { left.rawValue < right.rawValue }
        }

        package var at: Double
        /// The description.
        package var label: String
        /// The description in one or two words; empty if a number is enough.
        package var short = ""
        package var weight: Weight
    }

    /// A finding of a rule.
    package struct Finding: Sendable, Codable, Equatable {
        package var rule: String
        package var message: String
        /// The time of the event that the finding names, or else the time of the finding.
        package var at: Double
    }

    /// The duration of the run.
    package var end = 0.0
    /// The findings, in order.
    package var findings: [Finding] = []
    /// The lifecycle phases of the app.
    package var phases: [Span] = []
    /// The state of the player: `playing`, `paused`, or `waiting` with the reason.
    package var control: [Span] = []
    /// The items, in the order in which they entered the queue.
    package var items: [Item] = []
    /// The time ranges with audio.
    package var sound: [Stretch] = []
    /// The time ranges with video.
    package var pictures: [Stretch] = []
    /// The buffered seconds ahead of the current item's playhead; straight lines connect the points.
    package var buffer: [Point] = []
    /// The time ranges in which playback was likely to keep up.
    package var keepingUp: [Span] = []
    /// The requests, in the order of sending.
    package var requests: [Request] = []
    /// Other notable moments.
    package var marks: [Mark] = []
    /// The time of the first play command; nil without one.
    package var wished: Double?
}

extension RunStory {
    /// Whether there is nothing to draw: no item, request, or playback.
    package var hasNothing: Bool { items.isEmpty && requests.isEmpty && control.isEmpty && sound.isEmpty }

    /// The time ranges with audio or video: the movement of the playhead.
    package var played: [Stretch] {
        var all = sound
        for stretch in pictures where !sound.contains(where: { $0.covers(stretch) }) { all.append(stretch) }
        return all.sorted { $0.from < $1.from }
    }

    /// The time ranges without audio although playback was requested, labeled as start or silence.
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
        // Silence after the end of an item does not count.
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
