package import Link
package import Packager
package import Player

extension Scenario {
    /// One step: what it waits for, what it does, and what it expects then.
    package struct Step: Sendable, Equatable {
        /// Counts from 1 in its track.
        package internal(set) var number: Int
        /// Where it stands, as `file:line`.
        package let place: String
        /// The name under which conditions can refer to it; nil without one.
        let label: String?
        /// What it waits for first; nil for nothing.
        let trigger: Trigger?
        /// How long it may wait; nil for the scenario's own bound.
        let within: Expression?
        /// What it does; nil for nothing.
        package let act: Act?
        /// What must hold then; nil for nothing.
        let expectation: Condition?
        /// The values of the counters around it.
        let counters: [String: Double]
    }

    /// What a step waits for.
    package enum Trigger: Sendable, Equatable {
        /// A position of the current item.
        case at(Expression)
        /// An event, since the step before.
        case on(EventMatch)
        /// So much time after the step before.
        case after(Expression)
        case when(Condition)
        /// A message from another track.
        case message(String)
    }

    /// Which item of the queue, from the first.
    package enum Place: Sendable, Equatable {
        case current, last
        /// The one that left the queue last.
        case removed
        /// Counts from 1.
        case nth(Int)
    }

    /// What is put into the queue.
    package struct Items: Sendable, Equatable {
        /// Which rendition.
        package var rendition = Rendition.full
        /// How many, taken in turn from those that the run was given; nil for each of them once.
        package var count: Int?
        /// A reference, from the first item's playlist, to what is opened in their place; nil for none.
        package var url: String?
    }

    /// How far a seek may miss its target on one side.
    package enum Tolerance: Sendable, Equatable {
        case exact, any
        case seconds(Expression)
    }

    /// What a step does.
    package enum Act: Sendable, Equatable {
        /// Puts items at the end of the queue.
        case open(Items)
        case insert(Items, after: Place)
        case remove(Place)
        /// Tries to put an item into the queue that is there.
        case insertAgain(Place)
        case removeAll, advance, play, pause, playImmediately
        case rate(Expression), defaultRate(Expression)
        case seek(Expression, before: Tolerance, after: Tolerance)
        case cancelSeeks
        case endAction(EndAction)
        case minimizeStalls(Bool), video(Bool), layer(Bool)
        case peakBitrate(Expression), forwardBuffer(Expression)
        case background, foreground, lock, unlock, interrupt
        case endInterruption(shouldResume: Bool), changeRoute(AudioRoute)
        case resetServices
        /// Until so much has been heard since the step began, or this share of the item, or the item ends.
        case hear(seconds: Expression?, share: Expression?)
        /// Until so much time has passed, or the item ends.
        case stay(Expression)
        /// Becomes another network.
        case network(LinkProfile)
        /// Something goes wrong with requests from now on.
        case fault(RequestFault)
        /// Nothing goes wrong with requests any more.
        case mend
        case send(String)
        /// Notes values under names.
        case note([Definition])
    }

    /// What happens at an item's end.
    package enum EndAction: String, Sendable, CaseIterable {
        case advance, pause, none
    }

    /// A name with its value.
    package struct Definition: Sendable, Equatable {
        let name: String
        let value: Expression
    }
}

extension Scenario.Step: CustomStringConvertible {
    package var description: String {
        let parts = [trigger?.description, act?.description, expectation.map { "expect \($0)" }].compactMap { $0 }
        return parts.joined(separator: ", ")
            + counters.sorted { $0.key < $1.key }.map { " (\($0.key) \(Int($0.value)))" }
            .joined()
    }
}

extension Scenario.Trigger: CustomStringConvertible {
    package var description: String {
        switch self {
        case .at(let position): "at \(position)"
        case .on(let match): "on \(match)"
        case .after(let time): "after \(time) s"
        case .when(let condition): "when \(condition)"
        case .message(let name): "on the message \(name)"
        }
    }
}

extension Scenario.Act: CustomStringConvertible {
    package var description: String {
        switch self {
        case .open(let items): "open \(items)"
        case .insert(let items, let place): "insert \(items) after \(place)"
        case .remove(let place): "remove \(place)"
        case .insertAgain(let place): "insert \(place) again"
        case .removeAll: "remove all"
        case .advance: "advance"
        case .play: "play"
        case .pause: "pause"
        case .playImmediately: "play immediately"
        case .rate(let rate): "rate \(rate)"
        case .defaultRate(let rate): "default rate \(rate)"
        case .seek(let target, .exact, .exact): "seek to \(target) s"
        case .seek(let target, let before, let after): "seek to \(target) s (before: \(before), after: \(after))"
        case .cancelSeeks: "cancel seeks"
        case .endAction(let action): "end action \(action.rawValue)"
        case .minimizeStalls(let value): "minimize stalls: \(value)"
        case .video(let value): "video: \(value)"
        case .layer(let value): value ? "attach the layer" : "detach the layer"
        case .peakBitrate(let rate): "peak bitrate \(rate)"
        case .forwardBuffer(let length): "forward buffer \(length) s"
        case .background: "background"
        case .foreground: "foreground"
        case .lock: "lock"
        case .unlock: "unlock"
        case .interrupt: "interrupt"
        case .endInterruption(let shouldResume): "end the interruption\(shouldResume ? ", should resume" : "")"
        case .changeRoute(let route): "change the route to \(route.rawValue)"
        case .resetServices: "reset the media services"
        case .hear(nil, nil): "hear the rest"
        case .hear(let seconds?, nil): "hear \(seconds) s"
        case .hear(nil, let share?): "hear \(share) of the item"
        case .hear(let seconds?, let share?): "hear \(seconds) s or \(share) of the item"
        case .stay(let seconds): "stay \(seconds) s"
        case .network(let profile): "network \(profile.name)"
        case .fault(let fault): "fault \(fault.summary)"
        case .mend: "mend"
        case .send(let name): "send \(name)"
        case .note(let definitions): "let " + definitions.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
        }
    }
}

extension Scenario.Items: CustomStringConvertible {
    package var description: String {
        let what = url ?? rendition.rawValue
        return count.map { "\($0) times \(what)" } ?? what
    }
}

extension Scenario.Place: CustomStringConvertible {
    package var description: String {
        switch self {
        case .current: "current"
        case .last: "last"
        case .removed: "removed"
        case .nth(let number): "\(number)"
        }
    }
}

extension Scenario.Tolerance: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exact: "exact"
        case .any: "any"
        case .seconds(let seconds): "\(seconds) s"
        }
    }
}
