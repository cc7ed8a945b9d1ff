import Testing

@testable import SegueVerification

@Suite struct `A packet of sound` {
    private static let frame = 1024.0 / 48000

    /// What a container says, in which unit, and how many frames it is.
    private static let said: [(seconds: Double, unit: Double, frames: Double)] = [
        (frame, 1 / 48000, 1), (3 * frame, 1 / 48000, 3),
        // Rounded to milliseconds, of one frame and of six.
        (0.021, 0.001, 1), (0.128, 0.001, 6),
        // Nothing; when the next packet is due, after a cut; next to nothing.
        (0, 1 / 48000, 1), (0.08, 1 / 48000, 1), (0.0009, 1 / 48000, 1), (-0.02, 1 / 48000, 1),
    ]

    @Test(arguments: said)
    func `lasts what its frames take, whatever the container says`(
        said: (seconds: Double, unit: Double, frames: Double)
    ) {
        let length = AudioPacket.length(said: said.seconds, frame: Self.frame, unit: said.unit)
        #expect(abs(length - said.frames * Self.frame) < 1e-12)
    }

    @Test func `lasts what the container says where its frames are not known`() {
        #expect(AudioPacket.length(said: 0.08, frame: 0, unit: 0.001) == 0.08)
    }
}
