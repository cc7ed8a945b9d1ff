import Foundation
import Testing

@testable import SegueTestMedia

/// A video frame in a recording: a map from recording to video positions.
private struct Screen: Sendable {
    var width = 640
    var height = 360
    /// Maps a recording position to a video position, from 0 to 1.
    var place: @Sendable (_ x: Double, _ y: Double) -> SIMD2<Double>
    var surround: UInt8 = 16
    var contrast = 1.0
    var offset = 0.0

    /// A desk with an object on it.
    var desk: FrameImage {
        var image = FrameImage(width: width, height: height, grey: 70)
        for row in 100..<300 {
            for column in 50..<500 { image.luma[row * width + column] = UInt8(60 + (row * column / 700) % 150) }
        }
        return image
    }

    func film(_ number: Int, mark: Int? = nil) -> FrameImage {
        let film = FrameRenderer(width: 320, height: 180, mark: mark).image(number: number)
        var image = FrameImage(width: width, height: height, grey: surround)
        for row in 0..<height {
            for column in 0..<width {
                let place = place(Double(column) + 0.5, Double(row) + 0.5)
                guard place.x >= 0, place.x < 1, place.y >= 0, place.y < 1 else { continue }
                let level = film.luma[Int(place.y * 180) * 320 + Int(place.x * 320)]
                image.luma[row * width + column] = UInt8(min(max(Double(level) * contrast + offset, 0), 255))
            }
        }
        return image
    }
}

@Suite struct `Code tracker` {
    private static let screens: [(String, Screen)] = [
        ("whole", Screen { [$0 / 640, $1 / 360] }),
        ("at 70 %", Screen { [($0 - 90) / 448, ($1 - 51) / 252] }),
        ("at 30 % in a corner", Screen { [($0 - 430) / 192, ($1 - 240) / 108] }),
        ("cropped", Screen { [($0 + 25) / 690, ($1 + 12) / 388] }),
        ("letterboxed to another shape", Screen { [$0 / 640, ($1 - 60) / 240] }),
        ("upright in the middle", Screen { [($0 - 220) / 200, ($1 - 5) / 350] }),
        ("pale", Screen(place: { [($0 - 90) / 448, ($1 - 51) / 252] }, surround: 90, contrast: 0.35, offset: 80)),
        ("on white", Screen(place: { [($0 - 90) / 448, ($1 - 51) / 252] }, surround: 235)),
        (
            "turned by two degrees",
            Screen { x, y in
                let (sine, cosine) = (sin(2 * Double.pi / 180), cos(2 * Double.pi / 180))
                let (x, y) = (x - 320, y - 180)
                return [(x * cosine + y * sine) / 500 + 0.5, (y * cosine - x * sine) / 280 + 0.5]
            }
        ),
        (
            "seen aslant",
            Screen { x, y in
                // One side is a tenth longer than the other.
                let depth = 1 + (x - 320) / 640 * 0.1
                return [(x - 320) / 520 / depth + 0.5, (y - 180) / 290 / depth + 0.5]
            }
        ),
    ]

    @Test(arguments: screens.indices)
    func `finds the code anywhere in a recording and keeps it`(index: Int) {
        let (name, screen) = Self.screens[index]
        var tracker = CodeTracker()
        for number in [0, 1, 77, 1500] { #expect(tracker.number(in: screen.film(number)) == number, "\(name)") }
    }

    @Test(arguments: screens.indices)
    func `reads the variant's mark anywhere, and none if there is none`(index: Int) {
        let (name, screen) = Self.screens[index]
        var tracker = CodeTracker()
        for (number, mark) in [nil, 1, 2, nil, 7, 8, 15].enumerated() {
            #expect(tracker.number(in: screen.film(number, mark: mark)) == number, "\(name)")
            #expect(tracker.mark == mark, "\(name)")
        }
        #expect(tracker.number(in: screen.desk) == nil)
        #expect(tracker.mark == nil)
    }

    @Test func `reads no mark from a blend, or outside the frame`() {
        var tracker = CodeTracker()
        let screen = Self.screens[1].1
        var blend = screen.film(3, mark: 2)
        let other = screen.film(3, mark: 6)
        for index in blend.luma.indices {
            blend.luma[index] = UInt8((Int(blend.luma[index]) + Int(other.luma[index])) / 2)
        }
        #expect(tracker.number(in: blend) == 3)
        #expect(tracker.mark == nil)
        let below = Screen { [$0 / 640, $1 / 440] }
        #expect(tracker.number(in: below.film(4, mark: 2)) == nil)
        #expect((0..<5).map { tracker.number(in: below.film($0, mark: 2)) }.last == 4)
        #expect(tracker.mark == nil)
    }

    @Test func `finds a moved code again`() {
        var tracker = CodeTracker()
        let (near, far) = (Self.screens[1].1, Self.screens[2].1)
        #expect(tracker.number(in: near.film(5)) == 5)
        let numbers = (6..<20).map { tracker.number(in: far.film($0)) }
        #expect(numbers.last == 19)
        #expect(numbers.prefix(2) == [nil, nil])
        #expect(numbers.count { $0 != nil } >= 8)
    }

    @Test func `finds the first frame after seconds of other content`() {
        var tracker = CodeTracker()
        let (other, screen) = (Screen(place: { _, _ in [2, 2] }), Self.screens[1].1)
        for _ in 0..<200 { #expect(tracker.number(in: other.desk) == nil) }
        #expect(tracker.number(in: screen.film(0)) == 0)
    }

    @Test func `a screen that goes dark in a bright room is dark`() {
        var tracker = CodeTracker()
        var screen = Self.screens[1].1
        screen.surround = 90
        #expect(tracker.number(in: screen.film(3)) == 3)
        #expect(!tracker.isDark(in: screen.film(4)))
        screen.contrast = 0
        screen.offset = 20
        #expect(tracker.number(in: screen.film(4)) == nil)
        #expect(tracker.isDark(in: screen.film(4)))
        screen.offset = 120
        #expect(!tracker.isDark(in: screen.film(4)))
    }

    @Test func `follows a handheld code`() {
        var tracker = CodeTracker()
        let numbers = (0..<60).map { step in
            let shift = Double(step) * 0.8
            let screen = Screen { [($0 - 60 - shift) / 448, ($1 - 40 - shift / 2) / 252] }
            return tracker.number(in: screen.film(step))
        }
        #expect(numbers.count { $0 != nil } >= 58)
    }

    @Test func `reads no number from a blend or noise`() {
        var tracker = CodeTracker()
        let screen = Self.screens[1].1
        #expect(tracker.number(in: screen.film(7)) == 7)
        var blend = screen.film(8)
        let other = screen.film(9)
        for index in blend.luma.indices {
            blend.luma[index] = UInt8((Int(blend.luma[index]) + Int(other.luma[index])) / 2)
        }
        #expect(tracker.number(in: blend) == nil)
        #expect(tracker.number(in: other) == 9)
        var state: UInt32 = 3
        var fresh = CodeTracker()
        for _ in 0..<20 {
            var noise = FrameImage(width: 160, height: 90)
            for index in noise.luma.indices {
                state = state &* 1_664_525 &+ 1_013_904_223
                noise.luma[index] = UInt8(state >> 24)
            }
            #expect(fresh.number(in: noise) == nil)
        }
    }
}

extension CodeTracker {
    fileprivate func isDark(in image: FrameImage) -> Bool {
        image.luma.withUnsafeBufferPointer { luma in
            LumaPlane(luma: luma, width: image.width, height: image.height, stride: image.width).map(isDark)
                ?? false
        }
    }

    fileprivate mutating func number(in image: FrameImage) -> Int? {
        image.luma.withUnsafeBufferPointer { luma in
            LumaPlane(luma: luma, width: image.width, height: image.height, stride: image.width)
                .flatMap { number(in: $0) }
        }
    }
}
