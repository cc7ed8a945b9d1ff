package import SegueEvents
package import SegueNetworkModel
package import SeguePlayerModel

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
        /// What it asks of a real player, besides the commands: words that the driver's `can` must have.
        let asks: [String]
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

    /// What a step does.
    package enum Act: Sendable, Equatable {
        /// What an app does with its player.
        case player(PlayerAct)
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
        case .player(let act): act.description
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
