import Dispatch
import SegueConcurrency
import SegueFFmpeg

/// A station for any number of listeners, encoded once, on a thread of its own, while it has listeners.
final class RadioStation: Sendable {
    /// The position of a listener.
    struct Listener: Sendable {
        fileprivate let id: Int
        fileprivate var next: Int
        fileprivate var icy: IcyWriter?
    }

    /// The number of kept frames, about 20 s; a new listener starts the lead of ``RadioPace`` behind the newest.
    private static let kept = 800
    private static let back = 240
    /// The maximum number of frames in one read.
    private static let most = 64
    /// The time a station runs without listeners.
    private static let grace = Duration.seconds(5)

    private struct State {
        var ring = RadioRing(limit: RadioStation.kept)
        var listeners = 0
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var isRunning = false
        var failure: String?
        var leftAt = ContinuousClock.now
        var cancellation: Cancellation?
    }

    let name: String
    let format: RadioFormat
    private let items: [LibraryItem]
    private let files: any FileWork
    private let state = Monitor(State())
    // Only the station's own thread waits here, between two frames, for a bounded time: a stop ends the wait at
    // once.
    private let stopping = DispatchSemaphore(value: 0)

    init(name: String, format: RadioFormat, items: [LibraryItem], files: any FileWork = OwnFileWork()) {
        (self.name, self.format, self.items, self.files) = (name, format, items, files)
    }

    /// True if there are no listeners and the thread has ended.
    var isIdle: Bool { state.withLock { !$0.isRunning && $0.listeners == 0 } }

    /// Waits until there is audio.
    ///
    /// - Returns: The reason why there is none; nil if there is.
    func prepare(_ cancellation: Cancellation) -> String? {
        start()
        let wake = cancellation.whenCancelled { [state] in state.withLock { _ in } }
        defer { cancellation.forget(wake) }
        return state.wait { state -> String?? in
            if state.ring.end > 0 { return .some(nil) }
            if let failure = state.failure { return .some(failure) }
            return cancellation.isCancelled ? .some("the request was cancelled") : nil
        }
    }

    /// Adds a listener, who starts with the most recent frames.
    func join(wantsTitles: Bool) -> Listener {
        start()
        return state.withLock { state in
            state.listeners += 1
            state.lastID += 1
            return Listener(
                id: state.lastID,
                next: state.ring.beginning(Self.back),
                icy: wantsTitles ? IcyWriter() : nil
            )
        }
    }

    func leave() {
        state.withLock { state in
            state.listeners -= 1
            state.leftAt = .now
        }
    }

    /// Ends the station for all listeners.
    func stop() {
        state.withLock { $0.cancellation?.cancel() }
        stopping.signal()
    }

    /// Returns the bytes after a listener's position, or nil at the end of the station; waits until there are some.
    func next(_ listener: inout Listener) async -> [UInt8]? {
        while !Task.isCancelled {
            var place = listener.next
            let (frames, isOver) = state.withLock { [place] state in
                var number = place
                let frames = state.ring.read(&number, most: Self.most, back: Self.back)
                return (Read(frames: frames, next: number), !state.isRunning)
            }
            place = frames.next
            listener.next = place
            if !frames.frames.isEmpty {
                var bytes: [UInt8] = []
                for frame in frames.frames {
                    if listener.icy == nil { bytes += frame.bytes } else { listener.icy?.write(frame, to: &bytes) }
                }
                return bytes
            }
            if isOver { return nil }
            await waitForNews(listener.id, after: place)
        }
        return nil
    }

    private struct Read: Sendable {
        let frames: [RadioRing.Frame]
        let next: Int
    }

    private func waitForNews(_ id: Int, after number: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNow = state.withLock { state in
                    if state.ring.end > number || !state.isRunning || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isNow { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    // MARK: The thread

    /// Starts the station if it is not running; without listeners it ends after a while.
    func start() {
        let isNew = state.withLock { state in
            state.leftAt = .now
            guard !state.isRunning else { return false }
            let cancellation = Cancellation()
            state.isRunning = true
            state.failure = nil
            state.ring = RadioRing(limit: Self.kept)
            state.cancellation = cancellation
            return true
        }
        guard isNew else { return }
        WorkThread.begin("radio") { [self] in work() }
    }

    /// The station was stopped or has no listeners.
    private struct Over: Error {}

    private func work() {
        var failure: String?
        do {
            try broadcast()
            failure = "none of its \(items.count) files has decodable audio"
        } catch is Over {
        } catch {
            failure = "\(error)"
        }
        let waiting = state.withLock { [failure] state in
            state.isRunning = false
            state.failure = failure
            state.cancellation = nil
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for listener in waiting { listener.resume() }
    }

    /// Plays all files repeatedly; returns if none of them has audio.
    private func broadcast() throws {
        let cancellation = state.withLock { $0.cancellation } ?? Cancellation()
        let began = ContinuousClock.now
        var title = name
        var made = Duration.zero
        let length = format.frameDuration
        let encoder = try files.radio(format) { [self] bytes in
            made += length
            try air(RadioRing.Frame(bytes: bytes, title: title), made: made, since: began, cancellation)
        }
        var hasAudio = true
        while hasAudio {
            hasAudio = false
            for item in items {
                do {
                    let isHeard = try encoder.play(path: item.filePath, cancellation: cancellation) { tags in
                        title = Self.title(tags, of: item)
                    }
                    hasAudio = hasAudio || isHeard
                } catch let error as MediaError {
                    // An unreadable file is skipped.
                    if error.isCancelled { throw Over() }
                }
            }
        }
    }

    /// Sends a frame to all listeners, and waits until the next one is due.
    private func air(
        _ frame: RadioRing.Frame,
        made: Duration,
        since began: ContinuousClock.Instant,
        _ cancellation: Cancellation
    ) throws {
        let (waiting, isOver) = state.withLock { state in
            state.ring.append(frame)
            defer { state.waiting = [:] }
            let isLeft = state.listeners == 0 && ContinuousClock.now - state.leftAt > Self.grace
            return (Array(state.waiting.values), isLeft || cancellation.isCancelled)
        }
        for listener in waiting { listener.resume() }
        if isOver { throw Over() }
        let wait = RadioPace.wait(made: made, elapsed: ContinuousClock.now - began)
        guard wait > .zero else { return }
        _ = stopping.wait(
            timeout: .now()
                + .nanoseconds(
                    Int(wait.components.seconds) * 1_000_000_000
                        + Int(wait.components.attoseconds / 1_000_000_000)
                )
        )
    }

    private static func title(_ tags: [String: String], of item: LibraryItem) -> String {
        func tag(_ name: String) -> String? { tags.first { $0.key.lowercased() == name && !$0.value.isEmpty }?.value }
        let title = tag("title") ?? item.name
        return tag("artist").map { "\($0) - \(title)" } ?? title
    }
}
