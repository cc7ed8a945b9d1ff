internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg
internal import SeguePackager

/// Judges a delivery by comparing it with the source.
///
/// If all audio is copied, packets are compared. Differing packets and transcoded content are decoded.
///
/// Both are decoded as they stream by: memory usage is independent of the duration, except for some tens of bytes per
/// frame.
package enum Verifier {
    /// Compares a delivery with its source.
    ///
    /// - Parameters:
    ///   - compared: The verified audio of the file; newly verified audio is added.
    ///   - known: The known damage of the file; newly found damage is added.
    ///   - cores: The limit on busy threads, including the caller's.
    /// - Returns: The report.
    /// - Throws: ``MediaError`` if the source cannot be opened or the work is canceled, and rethrown fetch errors.
    package static func verify(
        source path: String,
        delivery: Delivery,
        compared: ComparedAudio = ComparedAudio(),
        known: KnownDamage = KnownDamage(),
        cores: Cores = Cores(),
        cancellation: Cancellation = Cancellation()
    ) throws -> VerificationReport {
        if let report = try byPackets(
            source: path,
            delivery: delivery,
            compared: compared,
            known: known,
            cores: cores,
            cancellation: cancellation
        ) {
            return report
        }
        var decoded = DecodedVerification(of: delivery, source: path, known: known, cores: cores, cancellation)
        return try decoded.run(compared)
    }

    /// Passes a segment's video to the comparisons.
    static func take(_ segment: SegmentReading, _ films: inout [VideoVerification]) throws {
        for (place, frames) in segment.films.enumerated() {
            if let frames { try films[place].take(frames, segment: segment.number) }
        }
        if let failure = segment.failure { throw failure }
    }
}
