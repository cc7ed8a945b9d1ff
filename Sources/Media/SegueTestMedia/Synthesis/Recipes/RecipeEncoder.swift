internal import SegueBase
internal import SegueConcurrency
internal import SegueData
internal import SegueFFmpeg

/// Encodes one recipe's media into a file.
struct RecipeEncoder {
    private let encoding: Recipe.Encoding
    private let writer: MediaWriter
    private var film: FilmProgress?
    private var sounds: [AudioProgress] = []

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
            sounds.append(
                AudioProgress(
                    track: try writer.add(audio.sound),
                    audio: audio,
                    signal: AudioSignal(seed: recipe.seed(ofTrack: index), rate: audio.sound.rate),
                    next: samples.lowerBound,
                    end: samples.upperBound
                )
            )
        }
        if let artwork = encoding.artwork {
            let picture = FrameRenderer(width: artwork.width, height: artwork.height).picture(number: 0)
            try writer.addArtwork(
                MediaWriter.VideoPlanes(picture),
                encoder: artwork.encoder,
                pixelFormat: artwork.encoder == "mjpeg" ? "yuvj420p" : "rgb24"
            )
        }
        try writer.begin()
    }

    /// Writes the next frame or samples in time order; returns false at the end.
    private mutating func step() throws -> Bool {
        var earliest: (time: Rational, sound: Int?)?
        if let film, film.next < film.times.count { earliest = (film.times[film.next], nil) }
        for (index, sound) in sounds.enumerated() where sound.next < sound.end {
            let time = Rational(sound.next, Int64(sound.audio.sound.rate))
            if time < earliest?.time ?? time + Rational(1) { earliest = (time, index) }
        }
        guard let earliest else { return false }
        if let index = earliest.sound { try writeSound(index) } else { try writePicture() }
        return true
    }

    private mutating func writePicture() throws {
        guard let film else { return }
        let tick = ((film.times[film.next] - film.video.film.start) * film.video.film.rate).rounded(scale: 1)
        try writer.write(
            picture: MediaWriter.VideoPlanes(film.renderer.picture(number: film.next)),
            tick: tick,
            isKeyframe: film.video.isKeyframe(film.next),
            track: film.track
        )
        self.film?.next += 1
    }

    private mutating func writeSound(_ index: Int) throws {
        let sound = sounds[index]
        let count = min(sound.end - sound.next, Int64(sound.audio.sound.rate) / 10)
        try writer.write(
            samples: sound.signal.interleaved(
                channels: sound.audio.sound.channels,
                from: sound.next,
                count: Int(count)
            ),
            track: sound.track
        )
        sounds[index].next += count
        if sounds[index].next == sound.end { try writer.endSound(track: sound.track) }
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
    fileprivate init(_ picture: Picture) {
        self.init(
            width: picture.width,
            height: picture.height,
            luma: picture.luma,
            blue: picture.blue,
            red: picture.red
        )
    }
}
