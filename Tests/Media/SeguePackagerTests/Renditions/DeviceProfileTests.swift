import Foundation
import SegueBase
import SegueData
import SeguePackager
import SegueTestSupport
import Testing

/// The shipped devices.
enum ShippedDevices {
    static let folder = HarnessFolder(
        path: Checkout.path("Harness")
    )

    static func named(_ name: String) throws -> DeviceProfile { try Devices(in: folder).named(name) }
}

@Suite struct `Device profile` {
    @Test func `every shipped device loads under its own name`() throws {
        let names = ShippedDevices.folder.names(of: .devices)
        #expect(
            Set(names).isSuperset(of: [
                "any", "vlc", "iphone-3g", "iphone-3gs", "iphone-4", "ipad", "ipad-2", "ipad-3", "apple-tv-2",
                "apple-tv-3",
                "apple-tv-hd", "apple-tv-4k", "iphone", "safari", "chromium", "firefox", "chromecast", "android",
            ])
        )
        for name in names {
            let path = try ShippedDevices.folder.file(name, of: .devices)
            #expect(try DeviceProfile(contentsOfFile: path).name == name)
        }
    }

    @Test func `the device for unknown players is the built-in one`() throws {
        let path = try ShippedDevices.folder.file("any", of: .devices)
        #expect(try DeviceProfile(contentsOfFile: path) == .any)
    }

    @Test func `an old phone has the limits of its specification`() throws {
        let phone = try ShippedDevices.named("iphone-3g")
        #expect(phone.containers == [.ts])
        #expect(!phone.hasMultitasking)
        #expect(phone.systems.map(\.description) == ["iOS 2.0 to 3.1.3", "iOS 4.0 to 4.2.1"])
        #expect(phone.hevc == nil)
        #expect(phone.h264.profile == .baseline)
        #expect(phone.h264.level == 30)
        #expect(phone.h264.longSide == 640)
        #expect(phone.h264.shortSide == 480)
        #expect(phone.h264.frameRate == Rational(30))
        #expect(phone.h264.bitsPerSecond == 1_500_000)
        #expect(!phone.h264.showsHDR)
        #expect(phone.audio[.aacLC]?.channels == 2)
        #expect(phone.audio[.ac3] == nil)
        #expect(phone.videoLimits.profile == .baseline)
        #expect(phone.videoLimits.level == 30)
        #expect(phone.videoLimits.longSide == 640)
        #expect(phone.audioLimits == AudioLimits(channels: 2, sampleRate: 48000))
    }

    @Test(arguments: [
        ("level: 3.1", "levle: 3.1", "video.h264.levle", "did you mean level?"),
        ("profile: main", "profile: mian", "video.h264.profile", "did you mean main?"),
        ("size: 1280x720", "size: 1280", "video.h264.size", "such as 1280x720"),
        ("frame-rate: 30", "frame-rate: fast", "video.h264.frame-rate", "such as 30"),
        ("bit-rate: 14 Mbit/s", "bit-rate: 14", "video.h264.bit-rate", "such as 1.5 Mbit/s"),
        ("hdr: false", "hdr: no way", "video.h264.hdr", "must be true or false"),
        ("value: [ts]", "value: [avi]", "containers.value", "avi is unknown"),
        ("aac-lc:", "aac:", "sound.aac-lc", "is missing"),
        ("channels: 2", "channels: 0", "sound.aac-lc.channels", "must be a whole number"),
        (
            "containers: [ts]\n    channels", "containers: [fmp4]\n    channels", "sound.aac-lc.containers",
            "not include fmp4"
        ),
        (
            "containers: {", "orientation: { value: roation, source: x }\ncontainers: {", "orientation.value",
            "rotation"
        ),
        ("name: iphone-4", "name: iPhone 4", "name", "lowercase letters"),
    ])
    func `an error names file, line, and key`(
        right: String,
        wrong: String,
        key: String,
        reason: String
    ) throws {
        let text = try String(contentsOfFile: ShippedDevices.folder.file("iphone-4", of: .devices), encoding: .utf8)
        let broken = text.replacing(right, with: wrong, maxReplacements: 1)
        try #require(broken != text)
        let error = try #require(throws: HarnessError.self) {
            try DeviceProfile(yaml: broken, file: "some/iphone-4.yaml")
        }
        #expect(error.key == key)
        #expect(error.message.contains(reason), "\(error)")
        #expect(error.line != nil)
        #expect(error.description.hasPrefix("some/iphone-4.yaml:"))
    }

    @Test func `an entry without a source is refused`() throws {
        let text = try String(contentsOfFile: ShippedDevices.folder.file("vlc", of: .devices), encoding: .utf8)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for index in lines.indices where lines[index].contains("source:") {
            let kept = lines[index]
            if kept.contains("containers: {") || kept.contains("orientation: {") { continue }
            lines[index] = ""
            let error = try #require(throws: HarnessError.self) {
                try DeviceProfile(yaml: lines.joined(separator: "\n"), file: "vlc.yaml")
            }
            #expect(error.key.hasSuffix("source"), "\(error)")
            lines[index] = kept
        }
    }

    @Test(arguments: [
        ("Mozilla/5.0 (iPhone; U; CPU iPhone OS 3_1_3 like Mac OS X; en-us) AppleWebKit/528.18", "iphone-3g"),
        ("AppleCoreMedia/1.0.0.8J2 (iPhone; U; CPU OS 4_3 like Mac OS X; en_us)", "iphone-4"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 13_5 like Mac OS X) AppleWebKit/605.1.15 Version/13.1 Safari/604.1",
            "iphone"
        ),
        ("Mozilla/5.0 (iPad; CPU OS 9_3_5 like Mac OS X) AppleWebKit/601.1.46 Version/9.0 Safari/601.1", "ipad-2"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15", "safari"),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/124.0.0.0 Safari/537.36",
            "chromium"
        ),
        (
            "Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 Chrome/90.0 Safari/537.36 CrKey/1.54.250320",
            "chromecast"
        ),
        (
            "Mozilla/5.0 (X11; Linux aarch64) AppleWebKit/537.36 Chrome/52.0.2743.84 Safari/537.36 CrKey/1.21a.76178",
            "chromecast-ultra"
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "firefox"),
        ("VLC/3.0.20 LibVLC/3.0.20", "vlc"),
        ("Lavf/59.27.100", "any"), ("curl/7.88.1", "any"), ("", "any"),
    ])
    func `a player is recognized by its User-Agent`(agent: String, name: String) throws {
        let devices = try Devices(in: ShippedDevices.folder)
        #expect(devices.hinted(byUserAgent: agent).name == name)
    }

    @Test func `an unknown name is reported with the nearest one`() throws {
        let devices = try Devices(in: ShippedDevices.folder)
        let error = try #require(throws: UnknownName.self) { try devices.named("iphone3g") }
        #expect(error.nearest == ["iphone-3g"])
    }
}
