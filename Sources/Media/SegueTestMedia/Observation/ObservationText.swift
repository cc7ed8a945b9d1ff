internal import SegueBase

extension Observation {
    /// A report, line by line.
    package var text: String {
        var lines = ["recording: \(Self.seconds(duration)) s" + (frameInterval > 0 ? rate : ", no video")]
        lines.append(startUpLine)
        lines += entries.map { "\(Self.column($0.at)) \($0.words)" }
        if video.isEmpty, audio.isEmpty { lines.append("no test media was detected") }
        return lines.joined(separator: "\n") + "\n"
    }

    private var rate: String {
        ", \(DecimalText.short(1 / frameInterval, places: 2)) frames per second "
            + "(frame times are accurate to \(Self.milliseconds(frameInterval * 1000)) ms)"
    }

    private var startUpLine: String {
        var words = ["startup, from \(Self.seconds(startUp.from)) s:"]
        words.append(
            startUp.firstFrame.map { "video after \(Self.seconds($0 - startUp.from)) s," } ?? "no video,"
        )
        words.append(startUp.firstAudio.map { "audio after \(Self.seconds($0 - startUp.from)) s" } ?? "no audio")
        return words.joined(separator: " ")
    }

    private var entries: [(at: Double, words: String)] {
        // A gap precedes the section that it leads to.
        let ordered =
            breaks.map { ($0.start, 0, $0.words) } + audio.map { ($0.start, 1, $0.words) }
            + video.map { ($0.start, 2, $0.words) }
            + video.flatMap { $0.variants.dropFirst().map { ($0.start, 3, $0.words) } }
        return ordered.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { ($0.0, $0.2) }
    }

    static func seconds(_ value: Double) -> String { DecimalText.fixed(value, places: 3) }

    static func milliseconds(_ value: Double) -> Message { "\(value, places: 1)" }

    static func column(_ time: Double) -> String {
        let text = seconds(time)
        return String(repeating: " ", count: max(10 - text.count, 0)) + text
    }

    static func drift(_ ppm: Double?) -> String { ppm.map { ", drift \(DecimalText.short($0, places: 0)) ppm" } ?? "" }
}

extension Observation.Video {
    fileprivate var words: String {
        let variant = variants.first.map { ", variant \($0.mark)," } ?? ""
        var words = "video  \(title ?? "a film")\(variant)"
        words += " \(Observation.seconds(source)) to \(Observation.seconds(sourceEnd))"
        words += " (until \(Observation.seconds(end))): \(seen) frames seen, \(dropped) dropped, \(repeated) repeated"
        if unseen > 0 { words += ", \(unseen) between two recorded frames" }
        if longestFreeze > 0 { words += ", longest freeze \(Observation.milliseconds(longestFreeze * 1000)) ms" }
        words += Observation.drift(driftPPM)
        guard let offset = audioOffset else { return words }
        let median = offset.median
        let side = median < 0 ? "early" : "late"
        words +=
            "; audio \(Observation.milliseconds(abs(median))) ms \(side) ± \(Observation.milliseconds(offset.error))"
        words += " (\(Observation.milliseconds(offset.least)) to \(Observation.milliseconds(offset.most)))"
        return words
    }
}

extension Observation.Variant {
    fileprivate var words: String { "video  variant \(mark) from \(Observation.seconds(source)) on" }
}

extension Observation.Audio {
    fileprivate var words: String {
        "audio  \(title) \(Observation.seconds(source)) to \(Observation.seconds(sourceEnd))"
            + " (until \(Observation.seconds(end)))\(track > 0 ? ", track \(track)" : "")\(Observation.drift(driftPPM))"
    }
}

extension Observation.Break {
    fileprivate var words: String {
        var parts: [String] = []
        let length = end - start
        let emptyWord = medium == .video ? "dark" : "silent"
        let unknownWord = medium == .video ? "unreadable" : "not the title's"
        for (part, word) in [(frozen, "frozen"), (empty, emptyWord), (unknown, unknownWord)] where part >= 0.0005 {
            parts.append("\(word) \(Observation.milliseconds(part * 1000)) ms")
        }
        let what = length < 0.0005 ? "no gap" : "\(Observation.milliseconds(length * 1000)) ms"
        let name = medium == .video ? "video" : "audio"
        return "\(name)  break: \(what)\(parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"), \(jumpWords)"
    }

    private var jumpWords: String {
        guard let jump else { return "another title" }
        guard abs(jump) >= 0.0005 else { return "resumes at the same position" }
        return "\(Observation.seconds(abs(jump))) s \(jump > 0 ? "skipped" : "repeated")"
    }
}

extension Agreement {
    /// A report, line by line.
    package var text: String {
        guard let clockOffset else {
            return "no logged position was observed, so the clocks cannot be aligned\n"
        }
        let side = clockOffset < 0 ? "ahead of" : "behind"
        var lines = ["the log's clock is \(Observation.seconds(abs(clockOffset))) s \(side) the recording's"]
        lines += statements.map { held in
            var words = "\(Observation.column(held.said)) logged \(held.statement)"
            if let position = held.position { words += " at \(Observation.seconds(position))" }
            guard let observed = held.observed, let difference = held.difference else {
                return words + ": not observed"
            }
            let place = held.observedPosition.map { " at \(Observation.seconds($0))" } ?? ""
            let side = difference < 0 ? "earlier" : "later"
            words += ": observed \(Observation.seconds(observed))\(place), "
            return words + "\(Observation.milliseconds(abs(difference))) ms \(side)"
        }
        lines.append("\(statements.count) statements, \(untrue.count) not observed")
        return lines.joined(separator: "\n") + "\n"
    }
}
