import Foundation
import SegueFFmpeg
import Testing

@Suite struct `Loudness` {
    /// A sine of a peak in dB below full scale, two channels, five seconds.
    private func loudness(_ decibels: Double, seconds: Double = 5) throws -> Double? {
        let meter = LoudnessMeter()
        let peak = pow(10, decibels / 20)
        let count = Int(48000 * seconds)
        let wave = (0..<count).map { Float(peak * sin(2 * .pi * 1000 * Double($0) / 48000)) }
        for start in stride(from: 0, to: count, by: 4800) {
            let part = Array(wave[start..<min(count, start + 4800)])
            try meter.hear([part, part], rate: 48000)
        }
        return try meter.integrated()
    }

    @Test(arguments: [-23.0, -33.0])
    func `a stereo sine of 1 kHz has the loudness of EBU Tech 3341`(level: Double) throws {
        // Tests 1 and 2 of Tech 3341: such a sine at -23 dBFS per channel reads -23 LUFS, within 0.1 LU.
        let measured = try #require(try loudness(level))
        #expect(abs(measured - level) <= 0.1, "\(measured)")
    }

    @Test func `silence and a moment have no loudness`() throws {
        #expect(try loudness(-200) == nil)
        #expect(try loudness(-23, seconds: 0.2) == nil)
        #expect(try LoudnessMeter().integrated() == nil)
    }
}
