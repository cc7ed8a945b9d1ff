import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestMedia
import SegueTestSupport
import Testing

@testable import SeguePackager
@testable import SegueVerification

@Suite struct `Packets that are known` {
    private let files: VerifiedFiles

    init() throws { files = try VerifiedFiles() }

    @Test(arguments: [SegmentContainer.fmp4, .ts], Rendition.principal)
    func `a copied film is known by its packets`(container: SegmentContainer, rendition: Rendition) throws {
        let path = try files.made("film.mp4")
        let (delivery, segments) = try files.delivery(of: path, rendition, in: container)
        let report = try Verifier.byPackets(source: path, delivery: delivery, cancellation: Cancellation())
        #expect(report?.metrics == (try Verifier.verify(source: path, delivery: delivery)).metrics)
        #expect(report?.metrics.leadingSamples == 1024)
        var changed = delivery
        changed.segment = { number in
            var bytes = segments[number]
            if number == 1 { bytes[bytes.count * 3 / 4] ^= 0x10 }
            return bytes
        }
        #expect(try Verifier.byPackets(source: path, delivery: changed, cancellation: Cancellation()) == nil)
        changed = delivery
        changed.segmentCount -= 1
        #expect(try Verifier.byPackets(source: path, delivery: changed, cancellation: Cancellation()) == nil)
    }

    @Test func `the right packets with another set-up of the decoder are not right`() throws {
        let path = try files.made("film.mp4")
        var (delivery, _) = try files.delivery(of: path, .background)
        // AAC-LC, 8 kHz, one channel (ISO/IEC 14496-3, 1.6.2.1), made 16 kHz.
        let mono: [UInt8] = [0x15, 0x88]
        let place = delivery.initSegment.indices.dropLast().first { Array(delivery.initSegment[$0...$0 + 1]) == mono }
        delivery.initSegment.replaceSubrange(try #require(place)...(place ?? 0) + 1, with: [0x14, 0x08])
        #expect(try Verifier.byPackets(source: path, delivery: delivery, cancellation: Cancellation()) == nil)
        #expect(try !Verifier.verify(source: path, delivery: delivery).isRight)
    }

    @Test func `transcoded sound that was compared before is known by its packets, and other sound is not`() throws {
        let path = try files.made("song.flac")
        let (full, segments) = try files.delivery(of: path, .full)
        let (background, _) = try files.delivery(of: path, .background)
        let compared = ComparedAudio()
        func byPackets(_ delivery: Delivery) throws -> VerificationReport? {
            try Verifier.byPackets(
                source: path,
                delivery: delivery,
                compared: compared,
                cancellation: Cancellation()
            )
        }
        #expect(try byPackets(full) == nil)
        let report = try Verifier.verify(source: path, delivery: full, compared: compared)
        #expect(report.differences == [])
        #expect(try byPackets(background)?.metrics == Verifier.verify(source: path, delivery: background).metrics)
        var changed = full
        changed.segment = { number in
            var bytes = segments[number]
            if number == 1 { bytes[bytes.count * 3 / 4] ^= 0x10 }
            return bytes
        }
        #expect(try byPackets(changed) == nil)
        changed.segment = { segments[max($0, 1)] }
        #expect(try byPackets(changed) == nil)
        // What was found wrong is known no better than before.
        let other = ComparedAudio()
        #expect(try !Verifier.verify(source: path, delivery: changed, compared: other).isRight)
        #expect(try !Verifier.verify(source: path, delivery: changed, compared: other).isRight)
    }
}
