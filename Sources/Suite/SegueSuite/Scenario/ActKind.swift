internal import SegueEvents
package import SegueNetworkModel
internal import SeguePlayerModel

extension Scenario {
    /// What happens to the simulated network; one in real time has no such thing.
    package enum NetworkChange: Sendable, Equatable {
        /// It becomes another one.
        case become(LinkProfile)
        /// Something goes wrong with requests from now on.
        case fault(RequestFault)
        /// Nothing goes wrong with requests any more.
        case mend
    }
}

extension Scenario.Act {
    /// Who carries an act out, and when it is over.
    enum Kind: Sendable {
        /// The session, at once.
        case command
        /// The session; it is over when the app has come there.
        case journey(Destination)
        /// Nobody; it is over when so much has been heard, or this share of the item.
        case hear(seconds: Expression?, share: Expression?)
        /// Nobody; it is over when so much time has passed.
        case stay(Expression)
        /// The network.
        case network(Scenario.NetworkChange)
        /// The script: a message to other tracks.
        case send(String)
        /// The script: values that it remembers.
        case note([Definition])
    }

    /// Where an app comes to.
    enum Destination: Sendable {
        case background, foreground
    }

    /// Who carries it out, and when it is over.
    var kind: Kind {
        switch self {
        case .player, .interrupt, .endInterruption, .changeRoute, .resetServices: .command
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

    /// What it puts into the queue; nil where that is nothing new.
    var opened: PlayerAct.Items? {
        if case .player(let act) = self { act.opened } else { nil }
    }

    /// Whether it is the app's leaving or coming back, which takes a while.
    var isJourney: Bool {
        switch kind {
        case .journey: true
        case .command, .hear, .stay, .network, .send, .note: false
        }
    }

    /// Whether it does nothing but wait.
    var isWait: Bool {
        switch kind {
        case .hear, .stay: true
        case .command, .journey, .network, .send, .note: false
        }
    }

    /// Whether it changes the network.
    var isOfNetwork: Bool {
        switch kind {
        case .network: true
        case .command, .journey, .hear, .stay, .send, .note: false
        }
    }
}
