internal import SegueBase
package import SegueEvents

/// Computes the playback quality of a run from its log.
struct QualityReader {
    /// A loaded segment and the part of it that played.
    private struct Segment {
        let item: String
        let stream: String
        let start: Double
        let end: Double
        let bytes: Int
    }

    private var quality = PlaybackQuality()
    private var firstReady: Double?
    private var stalledAt: Double?
    private var seek: (at: Double, target: Double)?
    private var segments: [Segment] = []
    private var media: (bits: Double, seconds: Double) = (0, 0)
    private var rates: [Double] = []

    mutating func take(_ event: Event) {
        let at = event.at.seconds
        switch event.kind {
        case .itemReadyToPlay: if firstReady == nil { firstReady = at }
        case .itemStalled: stalledAt = at
        case .soundBegan, .pictureBegan: began(at)
        case .playerRate(let rate, _): if rate == 0 { endStall(at) }
        case .queueCurrent, .itemFailed, .queueEmptied: endStall(at)
        case .seekBegan(_, let target, _, _):
            endStall(at)
            seek = (at, target)
        case .seekEnded(_, let position, let isFinished): ended(at: position, isFinished: isFinished, time: at)
        case .playlistVariantChosen(let item, _, let bandwidth):
            quality.declared.append(PlaybackQuality.Declared(at: at, item: item, bitsPerSecond: bandwidth))
        case .requestFinished(_, let bytes, _), .requestCancelled(_, let bytes): quality.bytes += bytes
        case .segmentLoaded(let item, let stream, _, let bytes, let start, let duration, let seconds):
            segments.append(Segment(item: item, stream: stream, start: start, end: start + duration, bytes: bytes))
            count(bytes: bytes, duration: duration, seconds: seconds)
        default: break
        }
    }

    private mutating func began(_ at: Double) {
        endStall(at)
        guard let last = quality.seeks.indices.last, quality.seeks[last].untilPlayed == nil, seek == nil else { return }
        quality.seeks[last].untilPlayed = at - quality.seeks[last].at
    }

    private mutating func endStall(_ at: Double) {
        guard let from = stalledAt.take() else { return }
        quality.stalls.append(PlaybackQuality.Stall(at: from, seconds: at - from))
    }

    private mutating func ended(at position: Double, isFinished: Bool, time at: Double) {
        guard let began = seek.take(), isFinished else { return }
        quality.seeks.append(
            PlaybackQuality.Seek(at: began.at, target: began.target, landed: position, seconds: at - began.at)
        )
    }

    private mutating func count(bytes: Int, duration: Double, seconds: Double) {
        guard seconds > 0 else { return }
        media = (media.bits + Double(bytes) * 8, media.seconds + seconds)
        rates.append(Double(bytes) * 8 / seconds)
        if seconds > duration { quality.overdueSegments += 1 }
    }

    /// The quality, given the timeline of the same log.
    mutating func finish(_ story: RunTimeline) -> PlaybackQuality {
        endStall(story.end)
        let played = story.played
        if let wished = story.wished {
            quality.startup = played.first.map { $0.from - wished }
            quality.ready = firstReady.map { max(0, $0 - wished) }
        }
        quality.playing = played.reduce(0) { $0 + $1.to - $1.from }
        quality.watched = played.reduce(0) { $0 + $1.end - $1.start }
        if let least = rates.min(), let greatest = rates.max() {
            quality.throughput = PlaybackQuality.Throughput(
                mean: media.bits / media.seconds,
                least: least,
                greatest: greatest
            )
        }
        weigh(played)
        if !story.audio.isEmpty {
            quality.longestSilence = story.silences.filter { $0.label == "silence" }.map { $0.to - $0.from }.max() ?? 0
        }
        return quality
    }

    /// Sums up the loaded media and the part that never played.
    private mutating func weigh(_ played: [RunTimeline.Stretch]) {
        let ranges = Dictionary(grouping: played, by: \.item).mapValues { PlayedRanges($0) }
        for item in Set(segments.map(\.item)) {
            var longest = (loaded: 0.0, unplayed: 0.0)
            for (_, stream) in Dictionary(grouping: segments.filter { $0.item == item }, by: \.stream) {
                var sum = (loaded: 0.0, unplayed: 0.0)
                for segment in stream {
                    let heard = ranges[item]?.overlap(segment.start, segment.end) ?? 0
                    sum.loaded += segment.end - segment.start
                    sum.unplayed += segment.end - segment.start - heard
                    if heard <= 0 { quality.wastedBytes += segment.bytes }
                }
                if sum.loaded > longest.loaded { longest = sum }
            }
            quality.downloaded += longest.loaded
            quality.wasted += max(0, longest.unplayed)
        }
    }
}

/// The parts of an item that played at least once.
private struct PlayedRanges {
    private var ranges: [ClosedRange<Double>] = []

    init(_ stretches: [RunTimeline.Stretch]) {
        for stretch in stretches.sorted(by: { $0.start < $1.start }) where stretch.end > stretch.start {
            if let last = ranges.last, stretch.start <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, stretch.end)
            } else {
                ranges.append(stretch.start...stretch.end)
            }
        }
    }

    func overlap(_ start: Double, _ end: Double) -> Double {
        ranges.reduce(0) { $0 + max(0, min(end, $1.upperBound) - max(start, $1.lowerBound)) }
    }
}

extension PlaybackQuality {
    /// The quality of the run that a log records.
    package init(log: EventLog) {
        var reader = QualityReader()
        for event in log.events { reader.take(event) }
        self = reader.finish(RunTimeline(log: log))
    }
}
