import Foundation
import SeguePlayer
import SegueTime
import Testing

/// The configuration, the errors, and the results of worlds.
@MainActor @Suite struct WorldTests {
    @Test func `a world requires virtual time`() throws {
        #expect(throws: WorldError.self) { try World() }
    }

    @Test func `an unknown name is reported with the nearest known one`() async throws {
        let message = { (platform: String, network: Network) async throws -> String in
            try await virtualTime {
                do {
                    _ = try World(platform: platform, network: network)
                    return ""
                } catch {
                    return "\(error)"
                }
            }
        }
        #expect(try await message("ios-4.4", .wifi).contains("ios-4.3"))
        #expect(try await message("ios-4.3", "4gg").contains("4g"))
        #expect(try await message("ios-4.3", .yaml("name: mine\ndown: { rats: 1 Mbit/s }")).contains("rats"))
    }

    @Test func `a world has a timeline and a log`() async throws {
        let (picture, log, access) = try await withWorld(server: .titles(duration: .seconds(30))) { world in
            world.player.insert(PlayerItem(url: "http://server/film.m3u8"))
            world.player.play()
            try await Task.sleep(for: .seconds(40))
            return (world.picture(title: "A film"), world.log, world.accessLog)
        }
        #expect(picture.hasPrefix("<svg") && picture.contains("A film") && picture.contains("</svg>"))
        #expect(access.hasPrefix("#Version: 1.0"))
        for line in log.split(separator: "\n") {
            #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
        }
        #expect(log.contains("sound.began") && log.contains("0.ts"))
    }

    @Test func `the network changes during playback`() async throws {
        try await withWorld(network: .wifi, server: .titles(duration: .seconds(300), bitrate: 4_000_000)) { world in
            world.player.insert(PlayerItem(url: "http://server/film.m3u8"))
            world.player.play()
            try await Task.sleep(for: .seconds(10))
            #expect(world.report.stalls == 0)
            try world.setNetwork("android-gprs")
            try await Task.sleep(for: .seconds(280))
            #expect(world.report.stalls > 0)
        }
    }

    @Test func `a planted fault persists until it is removed`() async throws {
        try await withWorld(server: .titles(duration: .seconds(120))) { world in
            let item = PlayerItem(url: "http://server/film.m3u8")
            world.plant(.status(404).meeting(path: "*.m3u8"))
            world.player.insert(item)
            try await Task.sleep(for: .seconds(60))
            #expect(item.status == .failed && item.error?.contains("404") == true)
            world.removePlantedFaults()
            world.plant(.stall(for: .seconds(40)).meeting(kind: .segment, from: 3, count: 1))
            let again = PlayerItem(url: "http://server/film.m3u8")
            world.player.replaceCurrentItem(with: again)
            world.player.play()
            try await Task.sleep(for: .seconds(200))
            #expect(world.report.stalls == 1 && world.report.heard == .seconds(120))
            #expect(world.troubles.contains("stalled at 12 s"))
        }
    }

    @Test func `memory warnings and power changes reach a running app`() async throws {
        try await withWorld { world in
            var told: [DeviceNotification] = []
            let observation = world.device.observe { told.append($0) }
            world.device.warnOfMemory()
            world.device.setLowPowerMode(true)
            world.device.setLowPowerMode(true)
            try await Task.sleep(for: .seconds(1))
            #expect(told == [.didReceiveMemoryWarning, .powerStateDidChange])
            world.device.goHome()
            // There is no audio, so the app is suspended.
            try await Task.sleep(for: .seconds(600))
            told = []
            world.device.warnOfMemory()
            world.device.setLowPowerMode(false)
            try await Task.sleep(for: .seconds(1))
            #expect(told.isEmpty && !world.device.isLowPowerModeEnabled)
            world.device.comeBack()
            try await Task.sleep(for: .seconds(5))
            #expect(told == [.powerStateDidChange, .willEnterForeground, .didBecomeActive])
            observation.cancel()
        }
    }

    @Test func `the device notifies the app`() async throws {
        try await withWorld { world in
            var told: [DeviceNotification] = []
            let observation = world.device.observe { told.append($0) }
            world.player.insert(PlayerItem(url: "http://server/film.m3u8"))
            world.player.play()
            try await Task.sleep(for: .seconds(10))
            world.device.interrupt()
            try await Task.sleep(for: .seconds(10))
            #expect(world.player.rate == 0)
            world.device.endInterruption(shouldResume: true)
            #expect(world.device.route == .speaker)
            world.device.change(to: .headphones)
            #expect(world.device.route == .headphones)
            world.player.play()
            try await Task.sleep(for: .seconds(1))
            world.device.change(to: .speaker)
            try await Task.sleep(for: .seconds(1))
            #expect(world.player.timeControlStatus == .paused)
            world.device.goHome()
            try await Task.sleep(for: .seconds(5))
            #expect(world.device.isInBackground)
            world.device.comeBack()
            try await Task.sleep(for: .seconds(5))
            #expect(world.device.isInForeground)
            #expect(
                told == [
                    .interruptionBegan, .interruptionEnded(shouldResume: true), .routeChanged, .routeChanged,
                    .willResignActive, .didEnterBackground, .willEnterForeground, .didBecomeActive,
                ]
            )
            observation.cancel()
        }
    }
}
