internal import SegueBase
internal import SegueData
internal import SegueFFmpeg

/// A reader of a recipe's container and track settings.
enum RecipeTrackReader {
    static func encoding(_ fields: inout HarnessFields, file: String) throws(HarnessError) -> Recipe.Encoding {
        let duration = try fields.requiredNumber("duration")
        guard duration > .zero, duration <= Rational(3600) else {
            throw fields.error("duration", "must be above 0 and at most 3600 seconds")
        }
        let format = try fields.requiredText("format")
        var audio: [Recipe.Audio] = []
        for entry in try fields.list("audio") { audio.append(try self.audio(entry)) }
        let encoding = Recipe.Encoding(
            format: format,
            muxer: try fields.pairs("muxer"),
            duration: duration,
            start: try fields.number("start") ?? .zero,
            video: try video(fields.fields("video")),
            audio: audio,
            artwork: try artwork(fields.fields("artwork")),
            tags: try fields.pairs("tags"),
            chapters: try chapters(fields.list("chapters"))
        )
        guard encoding.video != nil || !encoding.audio.isEmpty else {
            throw fields.error("audio", "and video are both missing; at least one is required")
        }
        return encoding
    }

    private static func video(_ fields: HarnessFields?) throws(HarnessError) -> Recipe.Video? {
        guard var fields else { return nil }
        let encoder = try fields.requiredText("codec")
        let (width, height) = try size(&fields, least: FrameCode.leastSize) ?? (192, 128)
        let rate = try fields.number("rate") ?? Rational(25)
        guard rate > .zero, rate <= Rational(120) else { throw fields.error("rate", "must be above 0 and at most 120") }
        let steps = try fields.integers("steps") ?? []
        guard steps.allSatisfy({ (1...10000).contains($0) }) else {
            throw fields.error("steps", "must be whole numbers from 1 to 10000")
        }
        let rotation = try fields.integer("rotation", in: 0...270) ?? 0
        guard rotation % 90 == 0 else { throw fields.error("rotation", "must be 0, 90, 180, or 270") }
        var film = MediaWriter.Film(encoder: encoder, width: width, height: height, rate: rate)
        film.options = try fields.pairs("options").dictionary
        film.keyframeInterval = try fields.integer("interval", in: 1...100_000) ?? film.keyframeInterval
        let keyframes = try fields.integers("keyframes") ?? []
        film.bFrames = try fields.integer("bframes", in: 0...16) ?? film.bFrames
        film.pixelFormat = try fields.text("pixels") ?? film.pixelFormat
        film.rotation = rotation
        film.start = try fields.number("start") ?? film.start
        let end = try fields.number("end")
        film.tag = try tag(&fields)
        film.bitsPerSecond = try fields.integer("bitrate", in: 1000...100_000_000)
        let mark = try fields.integer("mark", in: VariantMark.range)
        let video = Recipe.Video(film: film, steps: steps, keyframes: keyframes, end: end, mark: mark)
        try fields.finish()
        return video
    }

    private static func audio(_ fields: HarnessFields) throws(HarnessError) -> Recipe.Audio {
        var fields = fields
        let encoder = try fields.requiredText("codec")
        let options = try fields.pairs("options").dictionary
        let rate = try fields.integer("rate", in: 4000...384_000) ?? 48000
        let channels = try fields.integer("channels", in: 1...16) ?? 2
        var settings = MediaWriter.AudioSettings(encoder: encoder, rate: rate, channels: channels)
        settings.options = options
        settings.layout = try fields.text("layout")
        settings.sampleFormat = try fields.text("samples")
        settings.bitsPerSecond = try fields.integer("bitrate", in: 500...10_000_000)
        settings.language = try fields.text("language")
        settings.title = try fields.text("title")
        settings.start = try fields.number("start") ?? .zero
        let end = try fields.number("end")
        settings.tag = try tag(&fields)
        let audio = Recipe.Audio(settings: settings, end: end)
        try fields.finish()
        return audio
    }

    private static func artwork(_ fields: HarnessFields?) throws(HarnessError) -> Recipe.Artwork? {
        guard var fields else { return nil }
        let (width, height) = try size(&fields, least: FrameCode.leastSize) ?? (320, 320)
        let artwork = Recipe.Artwork(encoder: try fields.text("codec") ?? "mjpeg", width: width, height: height)
        try fields.finish()
        return artwork
    }

    private static func chapters(_ list: [HarnessFields]) throws(HarnessError) -> [Recipe.Chapter] {
        var chapters: [Recipe.Chapter] = []
        for entry in list {
            var entry = entry
            let start = try entry.number("start") ?? .zero
            guard chapters.last.map({ $0.start < start }) ?? true else {
                throw entry.error("start", "must be after the start of the preceding chapter")
            }
            let title = try entry.requiredText("title")
            try entry.finish()
            chapters.append(Recipe.Chapter(start: start, title: title))
        }
        return chapters
    }

    /// Reads an even size such as `192x128` of at least the minimum.
    private static func size(
        _ fields: inout HarnessFields,
        least: (width: Int, height: Int)
    ) throws(HarnessError) -> (Int, Int)? {
        guard let text = try fields.text("size") else { return nil }
        let numbers = text.split(separator: "x").map { Int($0) }
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
            (least.width...4096).contains(width), (least.height...4096).contains(height),
            width % 2 == 0, height % 2 == 0
        else {
            throw fields.error(
                "size",
                "is \(text); use two even numbers from \(least.width)x\(least.height) to 4096x4096"
            )
        }
        return (width, height)
    }

    private static func tag(_ fields: inout HarnessFields) throws(HarnessError) -> String? {
        guard let tag = try fields.text("tag") else { return nil }
        guard tag.utf8.count == 4 else { throw fields.error("tag", "is \(tag); use four characters") }
        return tag
    }
}
