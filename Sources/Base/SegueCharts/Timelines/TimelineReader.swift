internal import SegueBase
package import SegueEvents

/// Builds a timeline from a log.
struct TimelineReader {
    private(set) var story = RunTimeline()

    private var phase: RunTimeline.Span?
    private var control: RunTimeline.Span?
    private var keepUp: RunTimeline.Span?
    private var likely: Set<String> = []
    private var current: String?
    private var audio: RunTimeline.Stretch?
    private var video: RunTimeline.Stretch?
    private var requests: [Int: Int] = [:]
    private var begun: Set<String> = []
    private var level = BufferLevel()
    private var rejected: String?

    /// Handles the next event.
    mutating func take(_ event: Event) {
        let at = event.at.seconds
        followApp(event.kind, at)
        followPlayer(event.kind, at)
        followItems(event.kind, at)
        followAudio(event.kind, at)
        followRequests(event.kind, at)
        if case .finding(let rule, let message) = event.kind {
            story.findings.append(RunTimeline.Finding(rule: rule, message: message, at: at))
        }
        if let mark = mark(event, at) { story.marks.append(mark) }
    }

    /// Closes everything that is open at the end.
    mutating func close(at last: Double) {
        story.end = last
        close(\.phase, last, into: \.phases)
        close(\.control, last, into: \.control)
        close(\.keepUp, last, into: \.keepingUp)
        end(\.audio, at: last, position: nil, reason: "", into: \.audio)
        end(\.video, at: last, position: nil, reason: "", into: \.video)
        leaveCurrent(last)
        story.buffer += level.points(at: last, item: current)
        for index in story.items.indices where story.items[index].to < 0 { story.items[index].to = last }
        for index in requests.values { story.requests[index].to = last }
    }

    private mutating func close(
        _ open: WritableKeyPath<TimelineReader, RunTimeline.Span?>,
        _ at: Double,
        into list: WritableKeyPath<RunTimeline, [RunTimeline.Span]>
    ) {
        guard var span = self[keyPath: open].take() else { return }
        span.to = at
        if span.to > span.from { story[keyPath: list].append(span) }
    }

    // MARK: App and player

    private mutating func followApp(_ kind: EventKind, _ at: Double) {
        let name: String
        switch kind {
        case .platformLifecycle(let step):
            switch step {
            case "willResignActive", "mediaSuspended": name = "leaving"
            case "didEnterBackground", "resumed": name = "background"
            case "suspended": name = "suspended"
            case "willEnterForeground": name = "returning"
            case "didBecomeActive": name = "foreground"
            default: return
            }
        case .caseBegan, .stepBegan, .queueInserted:
            guard phase == nil else { return }
            name = "foreground"
        default: return
        }
        guard phase?.label != name else { return }
        close(\.phase, at, into: \.phases)
        phase = RunTimeline.Span(from: phase == nil && story.phases.isEmpty ? 0 : at, to: at, label: name)
    }

    private mutating func followPlayer(_ kind: EventKind, _ at: Double) {
        switch kind {
        case .playerTimeControl(let status, let reason):
            close(\.control, at, into: \.control)
            let detail = reason.isEmpty ? nil : reason
            control = RunTimeline.Span(from: at, to: at, label: status, detail: detail)
        case .bufferLikelyToKeepUp(let item, let isLikely):
            if isLikely { likely.insert(item) } else { likely.remove(item) }
            followKeepUp(at)
        case .playerCommand(let name, _) where ["play", "playImmediately", "setRate"].contains(name):
            if story.wished == nil { story.wished = at }
        default: break
        }
    }

    private mutating func followKeepUp(_ at: Double) {
        let isLikely = current.map { likely.contains($0) } ?? false
        if !isLikely { close(\.keepUp, at, into: \.keepingUp) }
        if isLikely, keepUp == nil { keepUp = RunTimeline.Span(from: at, to: at, label: "likely to keep up") }
    }

    // MARK: Items

    private mutating func followItems(_ kind: EventKind, _ at: Double) {
        switch kind {
        case .queueInserted(let item, let url):
            story.items.append(RunTimeline.Item(name: item, url: url, from: at, to: -1))
        case .queueRemoved(let item, _):
            if item == current {
                leaveCurrent(at)
                current = nil
            }
            change(item) { $0.to = at }
        case .queueCurrent(let item):
            leaveCurrent(at)
            current = item
            change(item) { $0.current.append(RunTimeline.Span(from: at, to: -1, label: item)) }
            story.buffer += level.points(at: at, item: item)
            followKeepUp(at)
        case .queueEmptied: story.buffer += level.points(at: at, item: nil)
        case .itemLoading(let item): change(item) { if $0.loading == nil { $0.loading = at } }
        case .itemReadyToPlay(let item, _): change(item) { $0.ready = at }
        case .itemFailed(let item, _, _, _): change(item) { $0.failed = at }
        case .segmentLoaded(let item, let stream, _, _, let start, let duration, _):
            if item == current { story.buffer += level.points(at: at, item: item) }
            level.load(item, stream: stream, from: start, to: start + duration, at: at)
            if item == current { story.buffer += level.points(at: at, item: item) }
        case .itemTimeJumped(let item, let position):
            if item == current { story.buffer += level.points(at: at, item: item) }
            level.move(item, to: position, at: at)
            if item == current { story.buffer += level.points(at: at, item: item) }
        default: break
        }
    }

    private mutating func leaveCurrent(_ at: Double) {
        guard let current else { return }
        story.buffer += level.points(at: at, item: current)
        change(current) { item in
            if let last = item.current.indices.last, item.current[last].to < 0 { item.current[last].to = at }
        }
    }

    private mutating func change(_ name: String, _ body: (inout RunTimeline.Item) -> Void) {
        if let index = story.items.lastIndex(where: { $0.name == name }) { body(&story.items[index]) }
    }

    // MARK: Audio and video

    private mutating func followAudio(_ kind: EventKind, _ at: Double) {
        switch kind {
        case .soundBegan(let item, let position):
            begin(item, position: position, at: at)
            audio = RunTimeline.Stretch(from: at, to: at, item: item, start: position, end: position, reason: "")
        case .pictureBegan(let item, let position):
            begin(item, position: position, at: at)
            video = RunTimeline.Stretch(from: at, to: at, item: item, start: position, end: position, reason: "")
        case .soundEnded(let item, let position, let reason):
            stop(item, position: position, at: at)
            end(\.audio, at: at, position: position, reason: reason, into: \.audio)
        case .pictureEnded(let item, let position, let reason):
            // The playhead moves on with the audio.
            if audio == nil { stop(item, position: position, at: at) }
            end(\.video, at: at, position: position, reason: reason, into: \.video)
        case .playerRate(let rate, _): level.rate = rate
        default: break
        }
    }

    private mutating func begin(_ item: String, position: Double, at: Double) {
        level.play(item, from: position, at: at)
        if item == current { story.buffer += level.points(at: at, item: item) }
    }

    private mutating func stop(_ item: String, position: Double, at: Double) {
        level.move(item, to: position, at: at)
        if item == current { story.buffer += level.points(at: at, item: item) }
    }

    private mutating func end(
        _ open: WritableKeyPath<TimelineReader, RunTimeline.Stretch?>,
        at: Double,
        position: Double?,
        reason: String,
        into list: WritableKeyPath<RunTimeline, [RunTimeline.Stretch]>
    ) {
        guard var ended = self[keyPath: open].take() else { return }
        ended.to = at
        ended.end = position ?? ended.start + (at - ended.from) * max(level.rate, 0)
        ended.reason = reason
        if ended.to > ended.from { story[keyPath: list].append(ended) }
    }

    // MARK: Requests

    private mutating func followRequests(_ kind: EventKind, _ at: Double) {
        switch kind {
        case .requestBegan(let number, _, let resource):
            requests[number] = story.requests.count
            story.requests.append(RunTimeline.Request(from: at, to: at, kind: resource))
        case .requestAnswered(let number, _):
            if let index = requests[number] { story.requests[index].answered = at }
        case .requestFinished(let number, let bytes, _): finish(number, outcome: .finished, bytes: bytes, at: at)
        case .requestFailed(let number, _, _): finish(number, outcome: .failed, bytes: 0, at: at)
        case .requestCancelled(let number, let bytes): finish(number, outcome: .cancelled, bytes: bytes, at: at)
        default: break
        }
    }

    private mutating func finish(_ number: Int, outcome: RunTimeline.Request.Outcome, bytes: Int, at: Double) {
        guard let index = requests.removeValue(forKey: number) else { return }
        story.requests[index].to = at
        story.requests[index].outcome = outcome
        story.requests[index].bytes = bytes
    }

    // MARK: Marks

    private mutating func mark(_ event: Event, _ at: Double) -> RunTimeline.Mark? {
        if case .segmentLoaded(let item, _, _, _, _, _, _) = event.kind {
            guard begun.insert(item).inserted else { return nil }
            return RunTimeline.Mark(
                at: at,
                label: "the first segment of \(item) is loaded",
                short: "1st segment",
                weight: .step
            )
        }
        // A rejection and the failure that it causes are one event.
        if case .platformRejected(let item, _) = event.kind { rejected = item }
        if case .itemFailed(let item, _, _, _) = event.kind, item == rejected { return nil }
        guard var mark = RunTimeline.Mark(event) else { return nil }
        if case .platformRejected(let item, _) = event.kind, !begun.contains(item) {
            mark.label += "; its first segment was not loaded yet"
        }
        return mark
    }
}

extension RunTimeline {
    /// The timeline of a log.
    ///
    /// Its findings have no subject: a log records only their texts.
    package init(log: EventLog) {
        var reader = TimelineReader()
        for event in log.events { reader.take(event) }
        reader.close(at: log.events.last?.at.seconds ?? 0)
        self = reader.story
    }
}
