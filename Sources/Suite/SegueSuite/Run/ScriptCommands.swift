internal import SeguePlayerModel

extension ActCommands {
    /// The commands of what a step does; none for what only waits.
    ///
    /// - Throws: ``ActError`` when it cannot be done now.
    func of(_ act: Scenario.Act) throws(ActError) -> [SessionCommand] {
        switch act {
        case .player(let act): try of(act)
        case .background: [.goHome]
        case .lock: [.lock]
        case .foreground, .unlock: [.comeBack]
        case .interrupt: [.interrupt]
        case .endInterruption(let shouldResume): [.endInterruption(shouldResume: shouldResume)]
        case .changeRoute(let route): [.changeRoute(route)]
        case .resetServices: [.resetMediaServices]
        case .hear, .stay, .network, .fault, .mend, .send, .note: []
        }
    }
}
