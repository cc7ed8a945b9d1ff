import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestMedia
import SegueTestSupport

@testable import SeguePackager
@testable import SegueVerification

/// Generated files with their deliveries, and the reports on altered deliveries.
struct VerifiedFiles {
    private static let recipes = """
        recipes:
          - file: film.mp4
            about: A film.
            format: mp4
            duration: 20
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, bframes: 2, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 8000, channels: 1, options: {aac_pns: "0"}}]
          - file: song.flac
            about: A song whose sound is transcoded.
            format: flac
            duration: 20
            audio: [{codec: flac, rate: 8000, channels: 1}]
          - file: click.flac
            about: A sound of a moment.
            format: flac
            duration: 0.08
            audio: [{codec: flac, rate: 8000, channels: 1}]
          - file: cover.mp3
            about: A song with a cover.
            format: mp3
            muxer: {id3v2_version: 3}
            duration: 14
            audio: [{codec: libmp3lame, rate: 44100}]
            artwork: {codec: mjpeg, size: 160x120}
          - file: short.mp3
            about: A song with a cover, over before a reader that looks ahead has seen much.
            format: mp3
            muxer: {id3v2_version: 3}
            duration: 2.7
            audio: [{codec: libmp3lame, rate: 44100}]
            artwork: {codec: mjpeg, size: 160x120}
          - file: dolby.mp4
            about: A film with Dolby's sound.
            format: mp4
            duration: 20
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, options: {preset: ultrafast}}
            audio: [{codec: ac3, rate: 48000, channels: 1, bitrate: 96000}]
          - file: cut.mp4
            about: A film whose frames of sound are shorter than what a cut leaves.
            format: mp4
            duration: 14
            video: {codec: libx264, size: 96x64, rate: 25, interval: 50, bframes: 2, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 48000, channels: 1}]
          - file: dolby.ac3
            about: Dolby's sound, whose container rounds the time of each frame.
            format: ac3
            duration: 20
            audio: [{codec: ac3, rate: 44100, channels: 1, bitrate: 96000}]
          - file: damaged.mp4
            about: A film with noise in the middle.
            copy: front.mp4
            damage: [{corrupt: 0.5, bytes: 3000}]
          - file: old.mkv
            about: A film of which all is transcoded.
            format: matroska
            duration: 12
            video: {codec: mpeg4, size: 96x64, rate: 10, interval: 20}
            audio: [{codec: libvorbis, rate: 44100, channels: 1}]
          - file: marred.mkv
            about: The same with noise in the middle, also where the container's own words are.
            copy: old.mkv
            damage: [{corrupt: 0.4, bytes: 2000}, {corrupt: 0.7, bytes: 40}]
          - file: long.mka
            about: A song whose sound is transcoded, long enough for damage to be far away.
            format: matroska
            duration: 16
            audio: [{codec: libvorbis, rate: 22050, channels: 1}]
          - file: other.mka
            about: Another.
            format: matroska
            duration: 16
            audio: [{codec: libvorbis, rate: 22050, channels: 1}]
          - file: front.mp4
            about: A film with its index at the front.
            format: mp4
            muxer: {movflags: +faststart}
            duration: 20
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 8000, channels: 1}]
        """

    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    func made(_ name: String) throws -> String {
        try MediaMaker(recipes: RecipeReader.parse(Self.recipes, file: "test")).make(name, into: folder.path)
    }

    /// The packager's delivery of a file.
    func delivery(
        of path: String,
        _ rendition: Rendition,
        in container: SegmentContainer = .fmp4
    ) throws -> (delivery: Delivery, segments: [[UInt8]]) {
        try Delivery.whole(of: Presentation.open(path: path, cancellation: Cancellation()), rendition, in: container)
    }

    /// The report on a delivery with altered segments.
    func report(
        on path: String,
        _ rendition: Rendition = .full,
        in container: SegmentContainer = .fmp4,
        changing change: (inout [[UInt8]]) throws -> Void
    ) throws -> VerificationReport {
        var (delivery, segments) = try delivery(of: path, rendition, in: container)
        try change(&segments)
        delivery.segmentCount = segments.count
        delivery.segment = { [segments] in segments[$0] }
        return try Verifier.verify(source: path, delivery: delivery)
    }

    func rules(_ report: VerificationReport) -> Set<VerificationReport.Rule> {
        Set(report.differences.map(\.rule))
    }

    /// A Matroska file with Vorbis packets marked as not being audio, which libav rejects.
    func refused(_ name: String, packets: Set<Int>) throws -> String {
        let path = try made(name)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let input = try MediaInput(path: path, cancellation: Cancellation())
        let packet = Packet()
        var (number, place) = (0, 0)
        while try input.read(into: packet) {
            let payload = packet.bytes
            guard let found = bytes.indices[place...].first(where: { bytes[$0...].starts(with: payload) }) else {
                continue
            }
            if packets.contains(number) { bytes[found] |= 1 }
            (number, place) = (number + 1, found + payload.count)
        }
        let refused = folder.path + "/refused-" + name
        try Data(bytes).write(to: URL(fileURLWithPath: refused))
        return refused
    }

    /// A movie with changed edits.
    func edited(_ name: String, _ change: (MovieEdits.Track) -> [MovieEdits.Edit]) throws -> String {
        let path = try made(name)
        var movie = MovieEdits([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        movie.change(change)
        let edited = folder.path + "/edited-" + name
        try Data(movie.bytes).write(to: URL(fileURLWithPath: edited))
        return edited
    }
}
