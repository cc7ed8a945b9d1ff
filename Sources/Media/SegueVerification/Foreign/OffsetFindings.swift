internal import SegueBase

/// Reports the offsets between audio and video, within a stream and between the streams of a presentation.
enum OffsetFindings {
    static func judge(_ contents: inout [StreamComparison.Content], _ allowance: ContentAllowance) {
        let films = contents.indices.filter { isFilm(contents[$0].video) }
        for index in contents.indices {
            if let video = contents[index].video, let first = offsets(of: video).first {
                contents[index].report.metrics.timestampOffset = first.offset
                if let reference = films.first, reference != index, let other = contents[reference].video {
                    judge(
                        video,
                        against: other,
                        name: contents[reference].stream.name,
                        allowance: allowance,
                        into: &contents[index].report
                    )
                }
            }
            guard let audio = contents[index].audio, !audio.offsets.isEmpty else { continue }
            let film = isFilm(contents[index].video) ? index : films.first
            if let film, let video = contents[film].video {
                var allowance = allowance
                allowance.offset += video.reading.looseness
                allowance.step += video.reading.looseness
                judge(audio, against: offsets(of: video), allowance: allowance, into: &contents[index].report)
            } else {
                judge(audio, allowance: allowance, into: &contents[index].report)
            }
        }
    }

    private static func isFilm(_ video: VideoContent?) -> Bool {
        (video?.matches.count { $0.source >= 0 } ?? 0) > 1
    }

    /// The delivered time of each frame and its offset to the source's.
    private static func offsets(of video: VideoContent) -> [(section: Int, time: Double, offset: Double)] {
        video.reading.steady.map { number in
            let match = video.matches[number]
            return (match.section, match.time, match.time - video.sourceTimes[match.source])
        }
    }

    /// Judges audio against video.
    private static func judge(
        _ audio: AudioContent,
        against video: [(section: Int, time: Double, offset: Double)],
        allowance: ContentAllowance,
        into report: inout ContentReport
    ) {
        guard audio.source?.timeline.tellsTimes ?? false else { return }
        var values: [(time: Double, offset: Double)] = []
        var kept: [(audio: AudioContent.Offset, frame: Double)] = []
        let sections = Dictionary(grouping: video, by: \.section).mapValues { $0.sorted { $0.time < $1.time } }
        for offset in audio.offsets {
            guard let film = sections[offset.section], let frame = usual(film, at: offset.time) else { continue }
            values.append((offset.time, offset.offset - frame))
            kept.append((offset, frame))
        }
        var isTold = false
        let worst = values.max { abs($0.offset) < abs($1.offset) }
        report.metrics.avOffsetMilliseconds = worst.map { ($0.offset * 1_000_000).rounded() / 1000 }
        for step in OffsetReading.steps(values, allowed: allowance.offset, step: allowance.step) {
            let place = kept[step.value].audio
            // An initial small offset that later disappears was only located there.
            if !isTold, step.drift == nil, abs(step.offset) <= allowance.step, step.value < 4 { continue }
            isTold = true
            if let drift = step.drift {
                tell(drift: drift, rate: step.offset, .avOffset, against: " relative to the video", &report)
                continue
            }
            let previous = step.value > 0 ? kept[step.value - 1] : nil
            let isVideo =
                previous.map { abs(place.offset - $0.audio.offset) < abs(kept[step.value].frame - $0.frame) }
                ?? false
            let size = milliseconds(step.offset)
            let seconds = audio.playlistTime(of: place)
            let from: Message =
                step.value == 0
                ? "from the start" : "from \(from(place, previous: previous?.audio, seconds: seconds)) on"
            let word = step.offset > 0 ? "late" : "early"
            let because = isVideo ? " (the video shifted)" : ""
            let message: Message =
                abs(step.offset) <= allowance.step
                ? "audio and video in sync again \(from)"
                : "audio \(size) \(word) relative to the video \(from)\(because)"
            report.find(
                .avOffset,
                message,
                segment: place.segment,
                at: step.value == 0 ? 0 : seconds,
                size: abs(step.offset)
            )
        }
    }

    /// The size of an offset in whole milliseconds.
    static func milliseconds(_ seconds: Double) -> Message {
        let size = abs(seconds) * 1000
        return "\(size, as: DecimalText.fixed(size, places: 0)) ms"
    }

    /// The usual offset of frames around a time, ignoring single mismatched frames.
    private static func usual(_ film: [(section: Int, time: Double, offset: Double)], at time: Double) -> Double? {
        var (low, high) = (0, film.count)
        while low < high {
            let middle = (low + high) / 2
            if film[middle].time < time { low = middle + 1 } else { high = middle }
        }
        let near = film[max(0, low - 4)..<min(film.count, low + 5)].filter { abs($0.time - time) < 5 }.map(\.offset)
            .sorted()
        return near.isEmpty ? nil : near[near.count / 2]
    }

    private static func from(_ place: AudioContent.Offset, previous: AudioContent.Offset?, seconds: Double)
        -> Message
    {
        if let previous, previous.segment != place.segment { return "segment \(place.segment)" }
        return AudioFindings.words((place.segment, seconds))
    }

    /// Judges audio alone: timestamps may start anywhere, but must advance with the audio.
    private static func judge(_ audio: AudioContent, allowance: ContentAllowance, into report: inout ContentReport) {
        guard let first = audio.offsets.first, audio.source?.timeline.tellsTimes ?? false else { return }
        report.metrics.timestampOffset = first.offset
        for section in Set(audio.offsets.map(\.section)).sorted() {
            // Without video, the sample count is the clock.
            let offsets = audio.offsets.filter { $0.section == section }
            guard let begin = offsets.first?.counted else { continue }
            let values = offsets.map { (time: $0.time, offset: $0.counted - begin) }
            for step in OffsetReading.steps(values, allowed: .infinity, step: allowance.step) {
                if let drift = step.drift {
                    tell(drift: drift, rate: step.offset, .soundTime, against: "", &report)
                    continue
                }
                let place = offsets[step.value]
                let before = offsets[step.value - 1]
                guard abs(place.offset - before.offset) > allowance.step, !isJump(place, before: before, audio: audio)
                else {
                    continue
                }
                let seconds = audio.playlistTime(of: place)
                let size = milliseconds(step.offset)
                let message: Message =
                    "audio \(size) \(step.offset > 0 ? "late" : "early") from \(from(place, previous: offsets[step.value - 1], seconds: seconds)) on"
                report.find(.soundTime, message, segment: place.segment, at: seconds, size: abs(step.offset))
            }
        }
    }

    /// True if the source's own timestamps jump between two positions, so that those of the delivery may as well.
    private static func isJump(
        _ place: AudioContent.Offset,
        before: AudioContent.Offset,
        audio: AudioContent
    ) -> Bool {
        guard let source = audio.source else { return false }
        let moved = abs(place.counted - before.counted)
        let (first, last) = (before.time - before.counted - 0.5, place.time - place.counted + 0.5)
        return source.timeline.jumps.contains { jump in
            let at = Double(jump.sample) / Double(source.sourceRate)
            return at > first && at < last && abs(abs(jump.seconds) - moved) < 0.01
        }
    }

    private static func tell(
        drift: Double,
        rate: Double,
        _ rule: VerificationReport.Rule,
        against: Message,
        _ report: inout ContentReport
    ) {
        let share: Message = "\(abs(rate) * 100, as: DecimalText.fixed(abs(rate) * 100, places: 3)) %"
        let total = milliseconds(drift)
        let words: Message = drift > 0 ? "slow: \(total) late" : "fast: \(total) early"
        report.find(rule, "audio runs \(share) \(words) at the end\(against)", at: 0, size: abs(drift))
    }

    /// Judges the video of variants against each other, because players switch at any time.
    private static func judge(
        _ video: VideoContent,
        against other: VideoContent,
        name: String,
        allowance: ContentAllowance,
        into report: inout ContentReport
    ) {
        let (here, there) = (offsets(of: video), offsets(of: other))
        guard let first = here.first, let reference = usual(there, at: first.time),
            let own = usual(here, at: first.time)
        else { return }
        let apart = own - reference
        guard first.section == there.first?.section, abs(apart) > allowance.offset else { return }
        let size = milliseconds(apart)
        report.find(
            .pictureTime,
            "frames \(size) \(apart > 0 ? "late" : "early") relative to those of \(name) from the start",
            at: 0,
            size: abs(apart)
        )
    }
}
