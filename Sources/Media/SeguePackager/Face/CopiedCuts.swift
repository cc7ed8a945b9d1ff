internal import Foundation
internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg

/// What a file has that is copied, and where its packets lie: enough to cut segments without a demuxer or a decoder, in
/// another process than the one that opened the file.
///
/// What that process says is not believed: the numbers are such that none makes arithmetic overflow, and the bytes of a
/// packet are never looked for outside of the file.
package struct CopiedCuts: Sendable {
    /// The file as it was when it was opened.
    private let identity: FileIdentity
    private let device: DeviceProfile
    private let facts: PresentationFacts
    private let tracks: FileTracks

    /// Takes what ``Presentation/copied`` handed over; nil where that is damaged or of no use.
    ///
    /// - Parameters:
    ///   - bytes: That.
    ///   - identity: The file.
    ///   - device: Whom it was opened for.
    ///   - facts: What opening it showed.
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
            tracks.video = .success(CutPictures(video, plan))
        }
        if let number = handed.audio {
            guard let stream = handed.index.streams[number], !stream.isEncrypted, number == facts.sound?.stream,
                case .success(let coding) = CopiedCoding.of(stream),
                let audio = AudioTrack(copying: stream, as: coding)
            else { return nil }
            tracks.audio = .success(CutSound(audio, plan))
        }
        (self.identity, self.device, self.facts, self.tracks) = (identity, device, facts, tracks)
    }

    /// Whether all that a rendition holds is copied, and here.
    package func holds(_ rendition: Rendition) -> Bool {
        switch rendition.picture {
        case .rung: return false
        // A song without cover art has no picture in any rendition.
        case .own where !facts.hasFilm && facts.artworkStream == nil && rendition.sound != .none: break
        case .own, .keyframes:
            guard tracks.video != nil else { return false }
        case .none: break
        }
        switch rendition.sound {
        case .none: return true
        // A film whose sound cannot be played is still a film.
        case .best: return tracks.audio != nil || (rendition.hasPicture && facts.sound == nil)
        case .track(let number): return tracks.audio != nil && facts.sound?.stream == number
        }
    }

    /// Where the segments may be cut into parts, where ``Rendition/full`` is held; see
    /// ``Presentation/parts(target:cancellation:)``, which gives the same.
    package func parts(target: Int64) throws(PackagingError) -> PartPlan {
        try tracks.parts(target: target, plan: facts.plan, file: identity.path)
    }

    /// The bytes of one segment of a rendition that is held; see ``Presentation/segment(_:of:in:cancellation:)``, which
    /// gives the same.
    ///
    /// - Parameters:
    ///   - number: Its number in the plan, from 0.
    ///   - rendition: Which rendition.
    ///   - container: How it is packed.
    ///   - cancellation: Stops the work.
    /// - Returns: The segment's bytes.
    /// - Throws: ``PackagingError`` as there.
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
    /// What another process needs to cut what is copied, see ``CopiedCuts``; nil where nothing is, or where it takes a
    /// demuxer to find the packets.
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
        if let sound = tracks.playableAudio, case .copied = sound.source { audio = sound }
        guard video != nil || audio != nil else { return nil }
        return HandedTracks(tracks.index, video: video?.stream.index, audio: audio?.stream.index).bytes
    }
}

/// The copied tracks of a file, as they go from one process to another.
private struct HandedTracks {
    /// Their packets.
    let index: FileIndex
    /// The stream of the pictures; nil where none are copied.
    let video: Int?
    /// The stream of the sound; nil where none is copied.
    let audio: Int?

    init(_ index: FileIndex, video: Int?, audio: Int?) {
        var index = index
        index.streams = index.streams.filter { $0.key == video || $0.key == audio }
        (self.index, self.video, self.audio) = (index, video, audio)
    }

    /// Reads what ``bytes`` wrote.
    ///
    /// - Parameters:
    ///   - bytes: That.
    ///   - described: The file's streams, as they are known besides.
    /// - Throws: ``KeptReader/Damage``.
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

    /// All of it as bytes; nil where a stream cannot be written.
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
