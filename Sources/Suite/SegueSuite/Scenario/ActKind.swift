internal import SegueEvents
package import SegueNetworkModel
internal import SeguePlayerModel

extension Scenario {
    /// A change of the simulated network; a real network has none.
    package enum NetworkChange: Sendable, Equatable {
        case become(LinkProfile)
        /// Requests meet a fault from now on.
        case fault(RequestFault)
        /// Requests meet no faults any more.
        case mend
    }
}

extension Scenario.Act {
    /// The executor of an act, and the condition for its end.
    enum Kind: Sendable {
        /// The session; it ends at once.
        case command
        /// The session; it ends when the app has arrived.
        case journey(Destination)
        /// A wait for a duration of heard audio, or for a share of the item.
        case hear(seconds: Expression?, share: Expression?)
        /// A wait for a duration.
        case stay(Expression)
        case network(Scenario.NetworkChange)
        /// The script, which sends a message to other tracks.
        case send(String)
        /// The script, which stores values.
        case note([Definition])
    }

    /// The destination of an app.
    enum Destination: Sendable {
        case background, foreground
    }

    /// The executor of the act, and the condition for its end.
    var kind: Kind {
        switch self {
        case .player, .interrupt, .endInterruption, .changeRoute, .resetServices, .silentSwitch, .beginOtherAudio,
            .endOtherAudio, .remote, .slide:
            .command
        case .background, .lock: .journey(.background)
        case .foreground, .unlock: .journey(.foreground)
        case .hear(let seconds, let share): .hear(seconds: seconds, share: share)
        case .stay(let seconds): .stay(seconds)
        case .network(let profile): .network(.become(profile))
        case .fault(let fault): .network(.fault(fault))
        case .mend: .network(.mend)
        case .send(let name): .send(name)
        case .note(let definitions): .note(definitions)
        }
    }

    /// The items that it adds to the queue; nil if there are no new ones.
    var opened: PlayerAct.Items? {
        if case .player(let act) = self { act.opened } else { nil }
    }

    /// True if the app leaves or returns, which takes time.
    var isJourney: Bool {
        switch kind {
        case .journey: true
        case .command, .hear, .stay, .network, .send, .note: false
        }
    }

    var isWait: Bool {
        switch kind {
        case .hear, .stay: true
        case .command, .journey, .network, .send, .note: false
        }
    }

    var isOfNetwork: Bool {
        switch kind {
        case .network: true
        case .command, .journey, .hear, .stay, .send, .note: false
        }
    }
}
