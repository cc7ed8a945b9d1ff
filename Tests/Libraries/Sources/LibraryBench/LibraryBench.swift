import AppHour
import Foundation
import SeguePlayer
import SegueTime

/// Measures what virtual time and a world cost, as a user's program has them.
@main struct LibraryBench {
    static func main() async throws {
        let count = Int(ProcessInfo.processInfo.environment["SEGUE_BENCH_RUNS"] ?? "") ?? 1000
        try await hours(count)
        try await cases(count)
    }

    /// An hour of a controller, again and again.
    private static func hours(_ count: Int) async throws {
        var hashes: Set<Int> = [], events = 0
        let begin = ContinuousClock.now
        for _ in 0..<count {
            let told = try await virtualTime { try await hour() }
            hashes.insert(told.hashValue)
            events = told.count
        }
        let took = ContinuousClock.now - begin
        print("hours: \(count) runs of an hour with \(events) events, \(hashes.count) hash, \(took / count) each")
    }

    @MainActor private static func hour() async throws -> [String] {
        let controller = HourController()
        try await controller.run()
        return controller.events
    }

    /// An app that goes over to the sound alone in the background and comes back, in a world.
    private static func cases(_ count: Int) async throws {
        for name in ["wifi", "3g"] {
            var reports: Set<String> = []
            let begin = ContinuousClock.now
            for _ in 0..<count { reports.insert("\(try await background(Network(name)))") }
            let took = ContinuousClock.now - begin
            print("cases: \(count) of 65 s over \(name), \(reports.count) result, \(took / count) each")
        }
    }

    @MainActor private static func background(_ network: Network) async throws -> Report {
        try await withWorld(platform: "ios-4.3", network: network) { world in
            let player = world.player
            player.insert(PlayerItem(url: "http://server/film.m3u8"))
            player.play()
            try await Task.sleep(for: .seconds(20))
            let observation = world.device.observe { news in
                guard news == .didEnterBackground || news == .didBecomeActive else { return }
                let name = news == .didBecomeActive ? "film" : "sound"
                let item = PlayerItem(url: "http://server/\(name).m3u8", startingAt: player.currentTime)
                player.pause()
                player.replaceCurrentItem(with: item)
                Task {
                    for await case .itemReadyToPlay(let ready) in player.notifications where ready === item {
                        return player.play()
                    }
                }
            }
            world.device.goHome()
            try await Task.sleep(for: .seconds(25))
            world.device.comeBack()
            try await Task.sleep(for: .seconds(20))
            observation.cancel()
            return world.report
        }
    }
}
