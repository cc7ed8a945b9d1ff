internal import Foundation
internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// Reports the differences of a delivered stream's audio.
enum AudioFindings {
    static func judge(
        _ audio: AudioContent,
        path: String,
        streams: [StreamInfo],
        allowance: ContentAllowance,
        cancellation: Cancellation,
        into report: inout ContentReport
    ) throws {
        if let opening = audio.opening {
            report.find(.sourceUnreadable, "the source's audio cannot be read: \(quoting: "\(opening)")")
        }
        guard let tracker = audio.tracker else { return }
        let rate = AudioReducer.rate
        let heard = tracker.pieces.reduce(0) { $0 + $1.delivered.count }
        report.metrics.audioSeconds = Double(heard) / rate
        let isLoud = tracker.audio.opening.delivered.contains { abs($0) > 0.003 }
        if heard * 5 < tracker.deliveredCount {
            if isTooShort(tracker, allowance) || isQuiet(tracker) { return }
            guard isLoud || heard > 0 else { return judgeSilence(tracker, &report) }
            let what = try AudioIdentity.words(
                of: audio,
                path: path,
                streams: streams,
                allowance: allowance,
                cancellation: cancellation
            )
            report.find(.soundAltered, "wrong audio: \(what)", segment: nil, at: 0)
            return
        }
        for edit in edits(tracker) { judge(edit, audio: audio, tracker: tracker, allowance: allowance, into: &report) }
        for dip in tracker.dips where Double(dip.count) / rate >= allowance.dropout {
            let place = audio.place(of: dip.lowerBound)
            let size = Double(dip.count) / rate
            if let source = audio.source, source.isMarred(marredPlace(dip.lowerBound, tracker: tracker, source: source))
            {
                continue
            }
            report.find(
                .soundSilent,
                "\(seconds(size)) of silence at \(words(place))",
                segment: place.segment,
                at: place.seconds,
                size: size
            )
        }
        for fault in tracker.audio.channels.faults { judge(fault, audio: audio, into: &report) }
        judgeGain(tracker, audio: audio, allowance: allowance, into: &report)
    }

    /// True if the audio is no longer than the allowed loss, so there is nothing to report.
    private static func isTooShort(_ tracker: AudioTracker, _ allowance: ContentAllowance) -> Bool {
        let most = (allowance.head + allowance.tail) * AudioReducer.rate
        return Double(tracker.sourceCount) <= most
            && Double(tracker.deliveredCount) <= most + allowance.overhang * AudioReducer.rate
    }

    /// True if source and delivery are silent; codecs may render silence differently.
    private static func isQuiet(_ tracker: AudioTracker) -> Bool {
        [tracker.audio.opening.source, tracker.audio.opening.delivered].allSatisfy { samples in
            samples.reduce(0) { $0 + Double($1 * $1) } <= AudioMatcher.quiet * Double(samples.count)
        }
    }

    private static func judgeSilence(_ tracker: AudioTracker, _ report: inout ContentReport) {
        guard tracker.audio.opening.source.contains(where: { abs($0) > 0.01 }) else { return }
        report.find(
            .soundSilent,
            "the audio is silent, but the source is not",
            at: 0,
            size: Double(tracker.deliveredCount) / AudioReducer.rate
        )
    }

    /// The edits of the audio, with drifting audio as one section.
    private static func edits(_ tracker: AudioTracker) -> [PieceReading.Edit] {
        let rate = AudioReducer.rate
        let pieces = tracker.pieces.map { piece in
            let source = (piece.delivered.lowerBound - piece.firstLag, piece.delivered.upperBound - piece.lastLag)
            return PieceReading.Piece(
                delivered: Double(piece.delivered.lowerBound) / rate..<Double(piece.delivered.upperBound) / rate,
                source: Double(source.0) / rate..<Double(max(source.0, source.1)) / rate
            )
        }
        return PieceReading.edits(
            pieces,
            delivered: Double(tracker.deliveredCount) / rate,
            source: Double(tracker.sourceCount) / rate,
            slack: 0.012
        )
    }

    private static func judge(
        _ edit: PieceReading.Edit,
        audio: AudioContent,
        tracker: AudioTracker,
        allowance: ContentAllowance,
        into report: inout ContentReport
    ) {
        let rate = AudioReducer.rate
        let place = audio.place(of: Int(edit.delivered * rate))
        let behind = tracker.pieces.first { Double($0.delivered.lowerBound) / rate > edit.delivered - 0.001 }
        let isSilent = behind?.isSilentBefore ?? tracker.isSilentBehind
        let (size, at) = (seconds(edit.size), words(place))
        if let source = audio.source, edit.kind != .missingTail, isExcused(edit, source: source, rate: rate) { return }
        func find(_ rule: VerificationReport.Rule, _ message: Message) {
            report.find(rule, message, segment: place.segment, at: place.seconds, size: edit.size)
        }
        switch edit.kind {
        case .missingHead where edit.size > allowance.head:
            find(.soundMissing, "the first \(size) of audio missing")
        case .missingTail where edit.size > allowance.tail:
            find(.soundMissing, "the last \(size) of audio missing, from \(at) on")
        case .overhang where edit.size > allowance.overhang && !isSilent:
            find(.soundInserted, "\(size) of audio after the end of the source, from \(at) on")
        case .missing: find(.soundMissing, "\(size) of audio missing at \(at)")
        case .repeated: find(.soundRepeated, "\(size) of audio repeated at \(at)")
        case .inserted:
            find(
                isSilent ? .soundSilent : .soundInserted,
                isSilent ? "\(size) of silence inserted at \(at)" : "\(size) of other audio inserted at \(at)"
            )
        case .altered where isSilent && edit.size >= allowance.dropout:
            find(.soundSilent, "\(size) of silence at \(at)")
        case .altered where edit.size >= 0.06: find(.soundAltered, "\(size) of audio at \(at) not in the source")
        case .exchanged(let other):
            find(
                .soundReordered,
                "\(seconds(other)) of audio at \(at) and the next \(size) are swapped"
            )
        default: break
        }
    }

    /// True if the source is damaged at a position, or its timestamps jump by the same amount.
    private static func isExcused(_ edit: PieceReading.Edit, source: SourceAudio, rate: Double) -> Bool {
        let sample = Int64(edit.source * Double(source.sourceRate))
        if source.isMarred(sample) { return true }
        return source.timeline.jumps.contains { jump in
            abs(Double(jump.sample) / Double(source.sourceRate) - edit.source) < 0.5
                && abs(abs(jump.seconds) - edit.size) < 0.03
        }
    }

    private static func marredPlace(_ sample: Int, tracker: AudioTracker, source: SourceAudio) -> Int64 {
        let lag = tracker.pieces.last { $0.delivered.lowerBound <= sample }?.lastLag ?? 0
        return Int64(Double(sample - lag) / AudioReducer.rate * Double(source.sourceRate))
    }

    private static func judge(_ fault: ChannelOrder.Fault, audio: AudioContent, into report: inout ContentReport) {
        let place = audio.place(of: fault.delivered)
        let what: Message =
            switch fault.kind {
            case .silent: "is silent, but not in the source"
            case .holds(let other): "contains the source's channel \(other + 1)"
            }
        let from: Message = fault.delivered < Int(AudioReducer.rate) ? "from the start" : "from \(words(place)) on"
        report.find(
            .soundAltered,
            "channel \(fault.channel + 1) \(what), \(from), for \(seconds(Double(fault.count) / AudioReducer.rate))",
            segment: place.segment,
            at: place.seconds,
            size: Double(fault.count) / AudioReducer.rate
        )
    }

    private static func judgeGain(
        _ tracker: AudioTracker,
        audio: AudioContent,
        allowance: ContentAllowance,
        into report: inout ContentReport
    ) {
        guard tracker.matcher.strength.source > 0, tracker.matcher.strength.delivered > 0 else { return }
        let gain = 10 * log10(tracker.matcher.strength.delivered / tracker.matcher.strength.source)
        guard abs(gain) > allowance.gain else { return }
        let size: Message = "\(abs(gain), as: DecimalText.fixed(abs(gain), places: 1))"
        report.find(
            .soundAltered,
            "the audio is \(size) dB \(gain > 0 ? "louder" : "quieter") than the source's"
        )
    }

    /// A duration in seconds with millisecond precision.
    static func seconds(_ value: Double) -> Message { "\(value, as: DecimalText.fixed(value, places: 3)) s" }

    /// A position for people.
    static func words(_ place: (segment: Int, seconds: Double)) -> Message {
        "segment \(place.segment) (\(seconds(place.seconds)))"
    }
}
