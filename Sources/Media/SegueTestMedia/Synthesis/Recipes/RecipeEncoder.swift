internal import SegueBase
internal import SegueConcurrency
internal import SegueData
internal import SegueFFmpeg

/// Encodes one recipe's media into a file.
struct RecipeEncoder {
    private let encoding: Recipe.Encoding
    private let writer: MediaWriter
    private var film: FilmProgress?
    private var audioTracks: [AudioProgress] = []

    /// The state of a video track.
    private struct FilmProgress {
        var track: Int
        var video: Recipe.Video
        var renderer: FrameRenderer
        var times: [Rational]
        var next = 0
    }

    /// The state of an audio track.
    private struct AudioProgress {
        var track: Int
        var audio: Recipe.Audio
        var signal: AudioSignal
        var next: Int64
        var end: Int64
    }

    /// Writes the recipe's file.
    static func encode(
        _ recipe: Recipe,
        _ encoding: Recipe.Encoding,
        to path: String,
        cancellation: Cancellation
    ) throws {
        var encoder = try RecipeEncoder(recipe, encoding, path: path)
        while try encoder.step() { try cancellation.check("encode", file: recipe.file) }
        try encoder.writer.finish()
    }

    private init(_ recipe: Recipe, _ encoding: Recipe.Encoding, path: String) throws {
        self.encoding = encoding
        writer = try MediaWriter(
            path: path,
            format: encoding.format,
            options: encoding.muxer.dictionary,
            shift: encoding.start
        )
        for tag in encoding.tags { writer.setTag(tag.name, to: tag.value) }
        for (index, chapter) in encoding.chapters.enumerated() {
            let isLast = index + 1 == encoding.chapters.count
            let end = isLast ? encoding.duration : encoding.chapters[index + 1].start
            writer.addChapter(start: chapter.start, end: end, title: chapter.title)
        }
        if let video = encoding.video {
            // Explicit keyframes are forced individually; the encoder must not add others.
            var settings = video.film
            if !video.keyframes.isEmpty { settings.keyframeInterval = 100_000 }
            film = FilmProgress(
                track: try writer.add(settings),
                video: video,
                renderer: FrameRenderer(width: settings.width, height: settings.height, mark: video.mark),
                times: video.times(contentEnd: encoding.duration).frames
            )
        }
        for (index, audio) in encoding.audio.enumerated() {
            let samples = audio.samples(contentEnd: encoding.duration)
            audioTracks.append(
                AudioProgress(
                    track: try writer.add(audio.settings),
                    audio: audio,
                    signal: AudioSignal(seed: recipe.seed(ofTrack: index), rate: audio.settings.rate),
                    next: samples.lowerBound,
                    end: samples.upperBound
                )
            )
        }
        if let artwork = encoding.artwork {
            let image = FrameRenderer(width: artwork.width, height: artwork.height).image(number: 0)
            try writer.addArtwork(
                MediaWriter.VideoPlanes(image),
                encoder: artwork.encoder,
                pixelFormat: artwork.encoder == "mjpeg" ? "yuvj420p" : "rgb24"
            )
        }
        try writer.begin()
    }

    /// Writes the next frame or samples in time order; returns false at the end.
    private mutating func step() throws -> Bool {
        var earliest: (time: Rational, audio: Int?)?
        if let film, film.next < film.times.count { earliest = (film.times[film.next], nil) }
        for (index, progress) in audioTracks.enumerated() where progress.next < progress.end {
            let time = Rational(progress.next, Int64(progress.audio.settings.rate))
            if time < earliest?.time ?? time + Rational(1) { earliest = (time, index) }
        }
        guard let earliest else { return false }
        if let index = earliest.audio { try writeAudio(index) } else { try writeFrame() }
        return true
    }

    private mutating func writeFrame() throws {
        guard let film else { return }
        let tick = ((film.times[film.next] - film.video.film.start) * film.video.film.rate).rounded(scale: 1)
        try writer.write(
            image: MediaWriter.VideoPlanes(film.renderer.image(number: film.next)),
            tick: tick,
            isKeyframe: film.video.isKeyframe(film.next),
            track: film.track
        )
        self.film?.next += 1
    }

    private mutating func writeAudio(_ index: Int) throws {
        let progress = audioTracks[index]
        let count = min(progress.end - progress.next, Int64(progress.audio.settings.rate) / 10)
        try writer.write(
            samples: progress.signal.interleaved(
                channels: progress.audio.settings.channels,
                from: progress.next,
                count: Int(count)
            ),
            track: progress.track
        )
        audioTracks[index].next += count
        if audioTracks[index].next == progress.end { try writer.endAudio(track: progress.track) }
    }
}

extension Recipe {
    /// The seed of an audio track's signal.
    package func seed(ofTrack track: Int) -> UInt64 { PositionBits.mixed(seed &+ UInt64(track)) }
}

extension [HarnessFields.Pair] {
    /// The pairs by name.
    var dictionary: [String: String] { Dictionary(map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }) }
}

extension MediaWriter.VideoPlanes {
    fileprivate init(_ image: FrameImage) {
        self.init(
            width: image.width,
            height: image.height,
            luma: image.luma,
            blue: image.blue,
            red: image.red
        )
    }
}
