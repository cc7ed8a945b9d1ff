internal import SegueBase
package import SegueEvents
package import SegueNetworkModel
package import SeguePlayerModel

extension Scenario {
    /// A step: a trigger, an act, and an expectation.
    package struct Step: Sendable, Equatable {
        /// The number within its track, from 1.
        package internal(set) var number: Int
        /// The location as `file:line`.
        package let place: String
        /// The name by which conditions refer to it; nil without one.
        let label: String?
        let trigger: Trigger?
        /// The time limit; nil for that of the scenario.
        let within: Expression?
        package let act: Act?
        /// The condition that must hold afterwards.
        let expectation: Condition?
        /// The values of the enclosing loops' counters.
        let counters: [String: Double]
        /// The capabilities that a real player's driver needs in addition to the commands.
        let asks: [String]
        /// The requirements without which the step is skipped.
        var requires: [StepRequirement] = []
        /// The requirements without which another step takes its place.
        var alternatives: [StepRequirement] = []

        /// The step for a platform that meets the requirements.
        func withoutRequirements(number: Int) -> Step {
            var step = self
            step.number = number
            (step.requires, step.alternatives) = ([], [])
            return step
        }
    }

    /// The trigger of a step.
    package enum Trigger: Sendable, Equatable {
        /// A position of the current item.
        case at(Expression)
        /// An event since the previous step.
        case on(EventMatch)
        /// A time after the previous step.
        case after(Expression)
        case when(Condition)
        /// A message from another track.
        case message(String)
    }

    /// The act of a step.
    package enum Act: Sendable, Equatable {
        /// An act of the app on its player.
        case player(PlayerAct)
        case background, foreground, lock, unlock, interrupt
        case endInterruption(shouldResume: Bool), changeRoute(AudioRoute)
        case resetServices
        /// Sets the Ring/Silent switch.
        case silentSwitch(Bool)
        /// Begins the audio of another app, which may mix with that of the app.
        case beginOtherAudio(mixes: Bool)
        case endOtherAudio(shouldResume: Bool)
        /// A command of the user from outside of the app.
        case remote(RemoteCommand, from: RemoteSender)
        /// A movement of the app's slider by the user.
        case slide(Expression)
        /// A wait until a duration was heard since the step began, a share of the item, or the item's end.
        case hear(seconds: Expression?, share: Expression?)
        /// A wait for a duration, or for the item's end.
        case stay(Expression)
        /// A change to another network.
        case network(LinkProfile)
        /// Requests meet a fault from now on.
        case fault(RequestFault)
        /// Requests meet no faults any more.
        case mend
        case send(String)
        /// Stores values under names.
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
        case .silentSwitch(let isSilent): "set the switch to \(isSilent ? "silent" : "ring")"
        case .beginOtherAudio(let mixes): "begin another app's audio\(mixes ? ", which mixes" : "")"
        case .endOtherAudio(let shouldResume): "end another app's audio\(shouldResume ? ", should resume" : "")"
        case .remote(let command, let sender): "\(command.rawValue) from \(sender.rawValue)"
        case .slide(let target): "slide to \(target) s"
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
