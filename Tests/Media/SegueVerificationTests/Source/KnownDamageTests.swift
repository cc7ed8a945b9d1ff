import Foundation
import SegueConcurrency
import SegueFFmpeg
import Testing

@testable import SeguePackager
@testable import SegueVerification

@Suite struct `Known damage` {
    private let files: VerifiedFiles

    init() throws { files = try VerifiedFiles() }

    /// The damage found by a separate decode, and by a comparison; the file is removed in between, so nothing can be
    /// decoded again.
    private func damage(of file: String) throws -> (own: SourceDamage, known: Result<SourceDamage, any Error>) {
        let path = try files.made(file)
        let (delivery, _) = try files.delivery(of: path, .full)
        let streams = Set(delivery.description.tracks.map(\.sourceStream))
        let own = try SourceDamage(of: path, streams: streams, Cancellation())
        let known = KnownDamage()
        _ = try Verifier.verify(source: path, delivery: delivery, known: known)
        try FileManager.default.removeItem(atPath: path)
        return (own, Result { try known.damage(of: path, streams: streams, Cancellation()) })
    }

    @Test(arguments: ["old.mkv", "marred.mkv"])
    func `of transcoded video comes with the comparison`(file: String) throws {
        let (own, known) = try damage(of: file)
        #expect(own.tracks.count == 2)
        #expect(own.tracks.values.allSatisfy { $0.whole.packets > 100 })
        #expect(own.isNone == (file == "old.mkv"))
        #expect(own.tracks.values.contains { $0.marred.packets > 0 } == (file == "marred.mkv"))
        #expect(try known.get().tracks == own.tracks)
        #expect(try known.get().readingWords == own.readingWords)
    }

    @Test func `of copied streams takes one decode`() throws {
        #expect(throws: MediaError.self) { try damage(of: "front.mp4").known.get() }
        let path = try files.made("damaged.mp4")
        let known = KnownDamage()
        let own = try SourceDamage(of: path, streams: [0, 1], Cancellation())
        #expect(!own.isNone)
        let audio = try known.damage(of: path, streams: [1], Cancellation())
        #expect(audio.tracks == own.tracks.filter { $0.key == 1 })
        let both = try known.damage(of: path, streams: [0, 1], Cancellation())
        #expect(both.tracks == own.tracks)
        try FileManager.default.removeItem(atPath: path)
        #expect(try known.damage(of: path, streams: [0], Cancellation()).tracks == own.tracks.filter { $0.key == 0 })
    }
}
