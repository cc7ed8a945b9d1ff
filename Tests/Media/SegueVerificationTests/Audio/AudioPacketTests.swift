import Testing

@testable import SegueVerification

@Suite struct `An audio packet` {
    private static let frame = 1024.0 / 48000

    /// A declared duration, its unit, and the number of frames.
    private static let said: [(seconds: Double, unit: Double, frames: Double)] = [
        (frame, 1 / 48000, 1), (3 * frame, 1 / 48000, 3),
        // Rounded to milliseconds, of one frame and of six.
        (0.021, 0.001, 1), (0.128, 0.001, 6),
        // Zero; the distance to the next packet after a cut; nearly zero.
        (0, 1 / 48000, 1), (0.08, 1 / 48000, 1), (0.0009, 1 / 48000, 1), (-0.02, 1 / 48000, 1),
    ]

    @Test(arguments: said)
    func `has its frames' duration despite the container`(
        said: (seconds: Double, unit: Double, frames: Double)
    ) {
        let length = AudioPacket.length(said: said.seconds, frame: Self.frame, unit: said.unit)
        #expect(abs(length - said.frames * Self.frame) < 1e-12)
    }

    @Test func `has the container's duration for unknown frames`() {
        #expect(AudioPacket.length(said: 0.08, frame: 0, unit: 0.001) == 0.08)
    }
}
