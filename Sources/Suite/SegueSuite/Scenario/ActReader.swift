internal import SegueData
internal import SegueEvents
internal import SegueNetworkModel
internal import SeguePlayerModel

extension Scenario.Act {
    /// The keys of an act.
    static let keys = [
        "do", "expect", "at", "on", "after", "when", "message", "within", "let", "label", "network", "fault", "send",
        "repeat", "include", "requires", "if",
    ]

    /// The acts of the user, the device, and the test, as opposed to those of the app.
    private enum Verb: String, CaseIterable {
        case background, foreground, lock, unlock, interrupt
        case endInterruption = "end-interruption"
        case changeRoute = "change-route"
        case resetServices = "reset-services"
        case silentSwitch = "silent-switch"
        case otherAudio = "other-audio"
        case remote, slide, hear, stay, mend
    }

    /// Reads the act of a step; nil without one.
    static func read(_ entry: inout HarnessFields, scope: ConditionScope, folder: HarnessFolder?)
        throws(HarnessError) -> Self?
    {
        let given = ["do", "network", "fault", "send"].filter { entry.has($0) }
        if given.count > 1 { throw entry.error(given[1], "cannot be combined with \(given[0]); write two steps") }
        if let name = try entry.text("send") { return .send(name) }
        if let fields = try entry.fields("fault") { return .fault(try RequestFault(fields)) }
        if entry.has("network") { return .network(try LinkProfile.taken(from: &entry, in: folder)) }
        guard let word = try entry.text("do") else { return nil }
        if let verb = PlayerAct.Verb(rawValue: word) {
            return .player(try PlayerAct.read(verb, in: &entry, names: scope.names))
        }
        if let verb = Verb(rawValue: word) { return try read(verb, in: &entry, names: scope.names) }
        let known = PlayerAct.Verb.allCases.map(\.rawValue) + Verb.allCases.map(\.rawValue)
        throw entry.error("do", UnknownName(word, among: known).description)
    }

    private static func read(_ verb: Verb, in entry: inout HarnessFields, names: Set<String>)
        throws(HarnessError) -> Self
    {
        switch verb {
        case .background: return .background
        case .foreground: return .foreground
        case .lock: return .lock
        case .unlock: return .unlock
        case .interrupt: return .interrupt
        case .endInterruption: return .endInterruption(shouldResume: try entry.flag("resume") ?? false)
        case .changeRoute:
            guard let route = try entry.word("to", of: AudioRoute.self) else { throw entry.error("to", "is missing") }
            return .changeRoute(route)
        case .resetServices: return .resetServices
        case .silentSwitch: return .silentSwitch(try PlayerAct.flag("is", &entry))
        case .otherAudio:
            guard try PlayerAct.flag("is", &entry) else {
                return .endOtherAudio(shouldResume: try entry.flag("resume") ?? false)
            }
            return .beginOtherAudio(mixes: try entry.flag("mixes") ?? false)
        case .remote:
            guard let command = try entry.word("command", of: RemoteCommand.self) else {
                throw entry.error("command", "is missing")
            }
            guard let sender = try entry.word("from", of: RemoteSender.self) else {
                throw entry.error("from", "is missing")
            }
            return .remote(command, from: sender)
        case .slide: return .slide(try entry.requiredExpression("to", names: names))
        case .stay:
            guard let seconds = try entry.optionalWait("seconds", names: names) else {
                throw entry.error("seconds", "is missing")
            }
            return .stay(seconds)
        case .hear:
            let seconds = try entry.optionalWait("seconds", names: names)
            let share = try entry.expression("share", names: names)
            guard share?.constant.map({ $0 > 0 && $0 <= 1 }) ?? true else {
                throw entry.error("share", "must be above 0 and at most 1")
            }
            return .hear(seconds: seconds, share: share)
        case .mend: return .mend
        }
    }
}
