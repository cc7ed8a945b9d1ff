internal import Foundation
internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg

/// The copied tracks of a file with their packet positions, to cut segments without a demuxer or decoder in another
/// process.
///
/// Input from the opening process is untrusted: no number can make arithmetic overflow, and packets are never read
/// outside the file.
package struct CopiedCuts: Sendable {
    /// The file's identity when it was opened.
    private let identity: FileIdentity
    private let device: DeviceProfile
    private let facts: PresentationFacts
    private let tracks: FileTracks

    /// Decodes the output of ``Presentation/copied``; nil if it is damaged or unusable.
    package init?(_ bytes: [UInt8], of identity: FileIdentity, for device: DeviceProfile, _ facts: PresentationFacts) {
        let plan = facts.plan
        guard plan.isWithinReason, let handed = try? HandedTracks(bytes, facts.source.streams),
            handed.index.isStored, handed.index.streams.values.allSatisfy({ $0.isWithinReason(identity.size) })
        else { return nil }
        var tracks = FileTracks(index: handed.index)
        let path = identity.path
        if let number = handed.video {
            guard let stream = handed.index.streams[number], !stream.isEncrypted, !DisplayOrder.isMissing(in: stream),
                let video = try? VideoTrack(stream, file: path), video.isHEVC == facts.film?.isHEVC
            else { return nil }
            tracks.video = .success(CutVideo(video, plan))
        }
        if let number = handed.audio {
            guard let stream = handed.index.streams[number], !stream.isEncrypted, number == facts.audio?.stream,
                case .success(let coding) = CopiedCoding.of(stream),
                let audio = AudioTrack(copying: stream, as: coding)
            else { return nil }
            tracks.audio = .success(CutAudio(audio, plan))
        }
        (self.identity, self.device, self.facts, self.tracks) = (identity, device, facts, tracks)
    }

    /// True if all tracks of a rendition are copied and present.
    package func holds(_ rendition: Rendition) -> Bool {
        guard rendition.burned == nil else { return false }
        switch rendition.video {
        case .rung: return false
        // Without cover art, an audio file has no video in any rendition.
        case .own where !facts.hasFilm && facts.artworkStream == nil && rendition.audio != .none: break
        case .own, .keyframes:
            guard tracks.video != nil else { return false }
        case .none: break
        }
        switch rendition.audio {
        case .none: return true
        // A video whose audio cannot be played is still served.
        case .best: return tracks.audio != nil || (rendition.hasVideo && facts.audio == nil)
        case .track(let number): return tracks.audio != nil && facts.audio?.stream == number
        }
    }

    /// The part boundaries, if ``Rendition/full`` is held; equal to ``Presentation/parts(target:cancellation:)``.
    package func parts(target: Int64) throws(PackagingError) -> PartPlan {
        try tracks.parts(target: target, plan: facts.plan, file: identity.path)
    }

    /// Returns one segment of a held rendition; equal to ``Presentation/segment(_:of:in:cancellation:)``.
    package func segment(
        _ number: Int,
        of rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        let contents = try tracks.contents(of: rendition, plan: facts.plan, file: identity.path)
        try contents.check(container, among: facts.containers, for: device, file: identity.path)
        return try identity.cut(number, of: facts.plan) {
            try SegmentBuilder(
                file: identity.path,
                contents: contents,
                rates: nil,
                pool: InputPool(path: identity.path),
                coded: CodedTracks(limit: 0),
                cancellation: cancellation
            ).segment(number, in: container)
        }
    }
}

extension Presentation {
    /// The input for ``CopiedCuts`` in another process; nil if nothing is copied or finding packets requires a demuxer.
    package var copied: [UInt8]? {
        guard tracks.index.isStored else { return nil }
        var video: VideoTrack?
        if let film = tracks.playableVideo, case .copied = film.source,
            let stream = tracks.index.streams[film.stream.index],
            !DisplayOrder.isMissing(in: stream)
        {
            video = film
        }
        var audio: AudioTrack?
        if let track = tracks.playableAudio, case .copied = track.source { audio = track }
        guard video != nil || audio != nil else { return nil }
        return HandedTracks(tracks.index, video: video?.stream.index, audio: audio?.stream.index).bytes
    }
}

/// The wire format of copied tracks.
private struct HandedTracks {
    /// The tracks' packets.
    let index: FileIndex
    /// The video stream; nil if none is copied.
    let video: Int?
    /// The audio stream; nil if none is copied.
    let audio: Int?

    init(_ index: FileIndex, video: Int?, audio: Int?) {
        var index = index
        index.streams = index.streams.filter { $0.key == video || $0.key == audio }
        (self.index, self.video, self.audio) = (index, video, audio)
    }

    /// Parses `bytes` against the known streams; throws ``KeptReader/Damage``.
    init(_ bytes: [UInt8], _ described: [StreamInfo]) throws(KeptReader.Damage) {
        var infos = described
        (video, audio, index) = try KeptIndex.read(bytes) { reader throws(KeptReader.Damage) in
            let numbers = (try reader.number(Int.self), try reader.number(Int.self))
            let changed = try reader.list { reader throws(KeptReader.Damage) in
                (try reader.number(Int.self), Data(try reader.content()), try reader.content())
            }
            for (number, json, extradata) in changed {
                guard infos.indices.contains(number), infos[number].index == number,
                    let info = try? JSONDecoder().decode(StreamInfo.self, from: json), info.index == number
                else { throw KeptReader.Damage() }
                infos[number] = info.with(extradata: extradata)
            }
            guard let index = KeptIndex.index(try reader.content(), of: infos) else { throw KeptReader.Damage() }
            return (numbers.0 < 0 ? nil : numbers.0, numbers.1 < 0 ? nil : numbers.1, index)
        }
    }

    /// The encoded form; nil if a stream cannot be encoded.
    var bytes: [UInt8]? {
        var writer = KeptWriter()
        writer.put(video ?? -1)
        writer.put(audio ?? -1)
        let streams = index.streams.sorted { $0.key < $1.key }.map(\.value.info)
        let written = streams.compactMap { try? JSONEncoder().encode($0) }
        guard written.count == streams.count else { return nil }
        writer.put(Array(zip(streams, written))) { writer, stream in
            writer.put(stream.0.index)
            writer.put(Array(stream.1))
            writer.put(stream.0.extradata)
        }
        writer.put(KeptIndex.bytes(of: index))
        return writer.sealed()
    }
}
