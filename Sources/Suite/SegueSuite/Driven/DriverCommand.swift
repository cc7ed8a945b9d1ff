internal import Foundation
internal import SegueBase
internal import SeguePlayerModel

/// A command to a driver (docs/drivers.md).
struct DriverCommand: Encodable, Equatable {
    struct Item: Encodable, Equatable {
        var item: String
        var url: String
    }

    /// The number of `quit`; others count from 1.
    static let quitNumber = 0

    var id = quitNumber
    let name: String
    var items: [Item]?
    var rate: Double?
    var to: Double?
    var flag: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, items, rate, to
        case name = "do"
        case flag = "is"
    }

    /// The line to send, with its line feed.
    var line: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // No value is a number that JSON cannot represent.
        return ((try? encoder.encode(self)) ?? Data("{}".utf8)) + [0x0A]
    }
}

extension Scenario.Act {
    /// The capability that a driver needs for the act; nil for acts of the script or the model.
    var driverCommand: String? {
        switch self {
        case .player(let act): act.driverCommand
        case .background: "background"
        case .foreground: "foreground"
        case .lock: "lock"
        case .unlock: "unlock"
        case .interrupt, .endInterruption: "interrupt"
        case .changeRoute: "change-route"
        case .resetServices: "reset-services"
        case .silentSwitch: "silent-switch"
        case .beginOtherAudio, .endOtherAudio: "other-audio"
        case .remote: "remote"
        case .slide: "seek"
        case .hear, .stay, .network, .fault, .mend, .send, .note: nil
        }
    }
}

extension PlayerAct {
    fileprivate var driverCommand: String {
        switch self {
        case .open: "open"
        case .play: "play"
        case .pause: "pause"
        case .rate: "rate"
        case .seek: "seek"
        case .advance: "next"
        case .removeAll: "remove-all"
        case .video: "video"
        case .insert: "insert"
        case .remove: "remove"
        case .insertAgain: "insert-again"
        case .playImmediately: "play-immediately"
        case .defaultRate: "default-rate"
        case .cancelSeeks: "cancel-seeks"
        case .scan, .endScan: "scan"
        case .endAction: "end-action"
        case .minimizeStalls: "minimize-stalls"
        case .layer: "layer"
        case .peakBitrate: "peak-bitrate"
        case .forwardBuffer: "forward-buffer"
        }
    }
}

extension SessionCommand {
    /// The command to a driver, if there is one; the sender fills in the items.
    var driverCommand: DriverCommand? {
        switch self {
        case .open: DriverCommand(name: "open")
        case .play: DriverCommand(name: "play")
        case .pause: DriverCommand(name: "pause")
        case .setRate(let rate): rate > 0 ? DriverCommand(name: "rate", rate: rate) : DriverCommand(name: "pause")
        case .seek(let target, _, _), .slide(let target): DriverCommand(name: "seek", to: target.seconds)
        case .advance: DriverCommand(name: "next")
        case .removeAll: DriverCommand(name: "remove-all")
        case .setVideoEnabled(let flag): DriverCommand(name: "video", flag: flag)
        case .goHome: DriverCommand(name: "background")
        case .lock: DriverCommand(name: "lock")
        case .comeBack: DriverCommand(name: "foreground")
        default: nil
        }
    }

    /// The name in the log; nil for a command that is not a player call.
    var callName: String? {
        switch self {
        case .open: "open"
        case .play: "play"
        case .pause: "pause"
        case .setRate: "setRate"
        case .seek, .slide: "seek"
        case .advance: "advance"
        case .removeAll: "removeAll"
        case .setVideoEnabled: "setVideoEnabled"
        default: nil
        }
    }
}
