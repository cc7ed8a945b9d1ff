internal import SeguePlayerModel

extension ActCommands {
    /// The commands of an act; empty for an act that only waits.
    ///
    /// - Throws: ``ActError`` if it is not possible now.
    func of(_ act: Scenario.Act) throws(ActError) -> [SessionCommand] {
        switch act {
        case .player(let act): try of(act)
        case .background: [.goHome]
        case .lock: [.lock]
        case .foreground, .unlock: [.comeBack]
        case .interrupt: [.interrupt]
        case .endInterruption(let shouldResume): [.endInterruption(shouldResume: shouldResume)]
        case .changeRoute(let route): [.changeRoute(route)]
        case .remote(let command, let sender): [.remote(command, from: sender)]
        case .slide(let target): [.slide(to: try duration(target))]
        case .resetServices: [.resetMediaServices]
        case .silentSwitch(let isSilent): [.setSilentSwitch(isSilent)]
        case .beginOtherAudio(let mixes): [.beginOtherAudio(mixes: mixes)]
        case .endOtherAudio(let shouldResume): [.endOtherAudio(shouldResume: shouldResume)]
        case .hear, .stay, .network, .fault, .mend, .send, .note: []
        }
    }
}
