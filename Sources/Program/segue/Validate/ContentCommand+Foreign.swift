import Foundation
import SegueBase
import SegueFFmpeg
import SeguePlaylists
import SegueVerification

extension ContentCommand {
    /// Compares files of any packager with their source.
    func runForeign() throws {
        var reports: [ContentReport] = []
        do {
            let streams = try playlists.flatMap { try PackagedFiles.streams(of: $0) }
            reports = try StreamComparison.compare(source: file, delivered: streams, cores: Cores(2))
        } catch {
            throw CommandFailure(error)
        }
        let lines = reports.map { report in
            ForeignLine(
                playlist: report.name,
                findings: report.differences.map {
                    ForeignLine.Entry(
                        rule: $0.rule.rawValue,
                        message: $0.message.text,
                        segment: $0.segment,
                        seconds: $0.seconds,
                        size: $0.size
                    )
                },
                soundSeconds: report.metrics.audioSeconds,
                pictures: report.metrics.frames,
                avOffsetMilliseconds: report.metrics.avOffsetMilliseconds,
                meanLikeness: report.metrics.meanLikeness,
                leastLikeness: report.metrics.leastLikeness
            )
        }
        StandardOutput.write(json: try JSONEncoder.readable.encode(lines))
    }

    /// The findings of one playlist.
    private struct ForeignLine: Encodable {
        let playlist: String
        let findings: [Entry]
        let soundSeconds: Double
        let pictures: Int
        let avOffsetMilliseconds: Double?
        let meanLikeness: Double?
        let leastLikeness: Double?

        struct Entry: Encodable {
            let rule: String
            let message: String
            let segment: Int?
            let seconds: Double?
            let size: Double?
        }
    }
}

/// Unencrypted playlists and segments on disk, as input for the content comparison.
enum PackagedFiles {
    /// The media playlists of a file: itself, or all in a multivariant playlist, each once.
    ///
    /// - Throws: An error for a file that cannot be read or is not a playlist.
    static func streams(of path: String) throws -> [DeliveredStream] {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        switch try Playlist.parse(text) {
        case .media(let playlist): return [stream(of: playlist, at: path, language: nil)]
        case .multivariant(let playlist):
            var named: [(uri: String, language: String?)] = playlist.variants.map { ($0.uri, nil) }
            for rendition in playlist.renditions where rendition.kind == .audio {
                if let uri = rendition.uri { named.append((uri, rendition.language)) }
            }
            var seen: Set<String> = []
            return try named.filter { seen.insert($0.uri).inserted }.flatMap { uri, language in
                let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
                let streams = try streams(of: folder.appendingPathComponent(plain(uri)).path)
                return streams.map { stream in
                    var stream = stream
                    stream.language = stream.language ?? language
                    return stream
                }
            }
        }
    }

    private static func plain(_ uri: String) -> String { uri.removingPercentEncoding ?? uri }

    private static func stream(of playlist: MediaPlaylist, at path: String, language: String?) -> DeliveredStream {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let read: @Sendable (String, ByteRange?) throws -> [UInt8] = { uri, range in
            let url = folder.appendingPathComponent(plain(uri))
            guard let range else { return [UInt8](try Data(contentsOf: url)) }
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(clamping: range.offset))
            return [UInt8](try handle.read(upToCount: Int(clamping: range.length)) ?? Data())
        }
        var maps: [MediaMap] = []
        let segments = playlist.segments.filter { !$0.isGap }
        let described = segments.map { segment in
            var number: Int?
            if let map = segment.map {
                number = maps.firstIndex(of: map) ?? maps.count
                if number == maps.count { maps.append(map) }
            }
            return DeliveredStream.Segment(
                duration: segment.duration.seconds,
                startsDiscontinuity: segment.startsDiscontinuity,
                initSection: number
            )
        }
        return DeliveredStream(
            name: path,
            segments: described,
            language: language,
            initSection: { [maps] in try read(maps[$0].uri, maps[$0].byteRange) },
            bytes: { try read(segments[$0].uri, segments[$0].byteRange) }
        )
    }
}
