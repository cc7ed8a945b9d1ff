import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SeguePlaylists

/// The multivariant playlist of an item: the renditions and their requirements.
///
/// An item with one audio track has one variant that contains everything. An item with several has a variant with video
/// only, and the audio tracks as a group; so has one with a ladder of lower bit rates, or with separate audio. If only
/// some tracks are AAC, a second variant has the AAC tracks alone, for players that reject unknown codecs.
struct MultivariantBuilder {
    let presentation: any Presenting
    /// The requested rendition: ``Rendition/full``, perhaps with subtitles in the video, or ``Rendition/background``.
    let rendition: Rendition
    /// The other parameters of the request.
    let query: PlaylistQuery
    let container: SegmentContainer
    /// The subtitle files next to the item.
    let sides: [SideSubtitles]
    let cancellation: Cancellation

    /// The group of all audio tracks.
    private static let allGroup = "audio"
    /// The group of the audio tracks that every player supports.
    private static let aacGroup = "audio-aac"

    /// A selectable audio track.
    private struct SelectableAudio {
        var media: MediaRendition
        var description: RenditionDescription
    }

    /// Returns the playlist.
    ///
    /// - Throws: ``PackagingError`` if there is none.
    func playlist() throws(PackagingError) -> MultivariantPlaylist {
        let whole = try describe(rendition)
        let streams = try presentation.audioTracks(cancellation: cancellation)
        var playlist = MultivariantPlaylist(variants: [], isIndependent: whole.extent.isIndependent)
        let sizes = whole.hasVideo ? [.video] + (query.hasLadder ? presentation.ladder : []) : []
        let videos = sizes.map { $0.burning(rendition.burned) }
        if streams.count > 1 || videos.count > 1 || query.hasSeparateAudio && !videos.isEmpty && !streams.isEmpty {
            let audioTracks = try audioTracks(streams, isAlone: videos.isEmpty)
            playlist.renditions = audioTracks.map(\.media)
            var groups = [(name: Self.allGroup, audioTracks: audioTracks)]
            let plain = audioTracks.filter { $0.description.codecs.allSatisfy { $0.hasPrefix("mp4a.40.") } }
            if !videos.isEmpty, !plain.isEmpty, plain.count < audioTracks.count {
                playlist.renditions += members(plain.map(\.media), of: Self.aacGroup)
                groups.append((Self.aacGroup, plain))
            }
            if videos.isEmpty { playlist.variants = [variant(nil, audioTracks, group: Self.allGroup)] }
            for video in videos {
                let description = try describe(video)
                playlist.isIndependent = playlist.isIndependent && description.extent.isIndependent
                playlist.variants += groups.map { variant(description, $0.audioTracks, group: $0.name) }
            }
        } else {
            playlist.variants = [variant(whole, uri: uri(rendition))]
        }
        if whole.hasVideo {
            declareCaptions(in: &playlist)
            if !whole.tracks.contains(where: \.isStill) { playlist.iFrameVariants = [try keyframes()] }
            add(subtitles: presentation.subtitles, to: &playlist)
        }
        return playlist
    }

    private func uri(_ rendition: Rendition) -> String { query.uri(of: rendition, in: container) }

    private func describe(_ rendition: Rendition) throws(PackagingError) -> RenditionDescription {
        try presentation.rendition(rendition, in: container, cancellation: cancellation)
    }

    /// A variant with a video rendition and an audio group, or, without video, with the first track of the group.
    private func variant(_ video: RenditionDescription?, _ audioTracks: [SelectableAudio], group: String) -> Variant {
        let loudest = audioTracks.map(\.description.peakBandwidth).max() ?? 0
        let average = audioTracks.map(\.description.averageBandwidth).max() ?? 0
        var result = video.map { variant($0, uri: uri($0.rendition)) } ?? Variant(uri: uri(rendition), bandwidth: 0)
        result.bandwidth += loudest
        result.averageBandwidth = (result.averageBandwidth ?? 0) + average
        for codec in audioTracks.flatMap(\.description.codecs) where !result.codecs.contains(codec) {
            result.codecs.append(codec)
        }
        result.audioGroup = audioTracks.isEmpty ? nil : group
        return result
    }

    private func variant(_ description: RenditionDescription, uri: String) -> Variant {
        let video = description.tracks.first { $0.kind == .video }
        var variant = Variant(
            uri: uri,
            bandwidth: description.peakBandwidth,
            averageBandwidth: description.averageBandwidth,
            codecs: description.codecs,
            resolution: video.map { Resolution(width: $0.width, height: $0.height) },
            frameRate: video?.greatestFrameRate
        )
        variant.videoRange = video?.videoRange
        variant.supplementalCodecs = [video?.supplementalCodec].compactMap { $0 }
        variant.hdcpLevel = video.map { _ in "NONE" }
        return variant
    }

    private func keyframes() throws(PackagingError) -> Variant {
        let keyframes = Rendition.keyframes.burning(rendition.burned)
        var result = variant(try describe(keyframes), uri: uri(keyframes))
        // I-frame variants have neither (RFC 8216, 4.3.4.3).
        result.frameRate = nil
        return result
    }

    /// The audio tracks; without video, the first one is in the variant's own segments.
    private func audioTracks(_ streams: [StreamInfo], isAlone: Bool) throws(PackagingError) -> [SelectableAudio] {
        var names = MemberNames()
        var result: [SelectableAudio] = []
        for (place, stream) in streams.enumerated() {
            let description = try describe(.audio(stream.index))
            let channels = description.tracks.first?.channels ?? stream.channels
            var media = names.member(.audio, stream, group: Self.allGroup)
            media.isDefault = place == 0
            media.isAutoselected = media.isAutoselected || place == 0
            media.channels = "\(channels)"
            media.uri = isAlone && place == 0 ? nil : uri(.audio(stream.index))
            result.append(SelectableAudio(media: media, description: description))
        }
        return result
    }

    private func add(subtitles streams: [StreamInfo], to playlist: inout MultivariantPlaylist) {
        guard !streams.isEmpty || !sides.isEmpty else { return }
        let group = "subtitles"
        var names = MemberNames()
        playlist.renditions += streams.map { stream in
            var media = names.member(.subtitles, stream, group: group)
            media.uri = query.uri(of: .stream(stream.index), in: container)
            return media
        }
        playlist.renditions += sides.map { side in
            var media = names.member(.subtitles, side.traits, group: group)
            media.uri = query.uri(of: .side(tag: side.tag), in: container)
            return media
        }
        for place in playlist.variants.indices { playlist.variants[place].subtitlesGroup = group }
    }

    /// Declares the closed captions in the video, or their absence, if it is known.
    private func declareCaptions(in playlist: inout MultivariantPlaylist) {
        guard rendition.burned == nil, let hasCaptions = presentation.hasCaptions else { return }
        let group = "captions"
        if hasCaptions {
            let language = LanguageTag(nil).text
            var media = MediaRendition(kind: .closedCaptions, group: group, name: "Captions", language: language)
            media.isAutoselected = true
            media.instreamID = "CC1"
            playlist.renditions.append(media)
        }
        for place in playlist.variants.indices {
            playlist.variants[place].closedCaptionsGroup = hasCaptions ? group : "NONE"
        }
    }

    /// The same renditions in another group; the first is the default.
    private func members(_ renditions: [MediaRendition], of group: String) -> [MediaRendition] {
        renditions.enumerated().map { place, rendition in
            var rendition = rendition
            rendition.group = group
            rendition.isDefault = place == 0
            return rendition
        }
    }
}
