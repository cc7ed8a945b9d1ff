import Controllers
import Foundation
import SeguePlayer
import Testing

/// The history of background audio, from apps written against the public interface, compared with the suite's own
/// policies in Tests/History/history.json.
@MainActor @Suite struct HistoryTests {
    private struct History: Decodable {
        var cells: [Cell]
    }

    struct Cell: Decodable, Sendable, CustomTestStringConvertible {
        var app: String
        var platform: String
        var kind: String
        var network: String
        var outcome: String

        var testDescription: String { "\(app) on \(platform), \(kind) over \(network)" }

        static let all: [Cell] = {
            let history = "../../../History/history.json"
            let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            let data = try? Data(contentsOf: here.appendingPathComponent(history).standardizedFileURL)
            return data.flatMap { try? JSONDecoder().decode(History.self, from: $0) }?.cells ?? []
        }()
    }

    @Test func `every app has cells`() {
        #expect(Cell.all.count == 180)
        let later = ["renditions", "switch-preloaded", "switch-until-audible"]
        #expect(Set(Cell.all.map(\.app)) == Set(Controller.all.keys).subtracting(later))
    }

    @Test(arguments: Cell.all) func `an app's own code has the outcome of the history`(_ cell: Cell) async throws {
        let kind = try #require(Controller.all[cell.app])
        // Music with artwork has a video track with a negligible bit rate.
        let server = Server.titles(
            duration: .seconds(120),
            bitrate: cell.kind == "movie" ? 400_000 : 140_000,
            audioBitrate: 128_000
        )
        guard cell.outcome != "unavailable" else {
            await #expect(throws: WorldError.self) {
                try await withWorld(platform: cell.platform, app: kind.app) { _ in }
            }
            return
        }
        let network = Network(cell.network)
        try await withWorld(platform: cell.platform, network: network, server: server, app: kind.app) { world in
            let full = cell.kind == "music" ? "http://server/full/sound.m3u8" : "http://server/film.m3u8"
            let title = Title(full: full, audio: "http://server/sound.m3u8")
            let controller = kind.init(player: world.player, device: world.device, titles: [title])
            controller.play()
            while world.report.heard < .seconds(20) { try await Task.sleep(for: .milliseconds(100)) }
            world.device.goHome()
            try await Task.sleep(for: .seconds(25))
            world.device.comeBack()
            try await Task.sleep(for: .seconds(5))
            #expect(world.report.background?.rawValue == cell.outcome, "\(world.troubles)")
            withExtendedLifetime(controller) {}
        }
    }
}
