internal import SegueBase
internal import SegueEvents
internal import SegueFetch

/// An endless stream: its data, its state, and its titles.
struct Radio: Sendable {
    private(set) var buffer: RadioBuffer

    /// True if the server ended it.
    private(set) var hasEnded = false

    private var course = StreamCourse()
    private var titles = StreamTitles()

    /// A stream whose request has a response.
    init(from position: Duration, metadata: IcyReader?, isRadio: Bool, _ context: inout StepContext) {
        buffer = RadioBuffer(from: position, metadata: metadata, isRadio: isRadio)
        report(&context)
        follow(.open, &context)
        follow(.answered, &context)
    }

    /// True if the server announces internet radio, whose streams do not end.
    var isRadio: Bool { buffer.isRadio }

    /// The held media.
    var held: Range<Duration> { buffer.held }

    /// Adds bytes, and returns the audio in them.
    mutating func receive(_ bytes: [UInt8], _ context: inout StepContext) -> [UInt8] {
        let (audio, new) = buffer.receive(bytes)
        if let title = titles.receive(new, at: context.now) {
            context.log(.streamTitle(item: context.item.description, title: title))
        }
        return audio
    }

    /// Continues with another connection to the same stream, after the held media.
    mutating func connect(_ response: FetchResponse, _ context: inout StepContext) {
        follow(.answered, &context)
        let metadata = IcyReader(interval: response.header("icy-metaint"))
        buffer.reconnect(at: nil, metadata: metadata, isRadio: isRadio)
    }

    /// Continues with another connection at a position, because servers do not keep a connection open that is not read
    /// for so long.
    mutating func rejoin(at position: Duration) { buffer.reconnect(at: position, metadata: nil, isRadio: isRadio) }

    /// Releases media before a position.
    mutating func release(before position: Duration) { buffer.release(before: position) }

    /// Handles the end of the stream by the server.
    mutating func end(_ context: inout StepContext) {
        hasEnded = true
        follow(.ended, &context)
    }

    /// Handles a change of the player's status.
    mutating func follow(_ control: TimeControl, _ context: inout StepContext) {
        switch control {
        case .playing: follow(StreamCourse.Input.becameAudible, &context)
        case .paused: follow(StreamCourse.Input.paused, &context)
        case .waiting:
            if course.state == .paused { follow(.resumed, &context) }
            if course.state == .playing { follow(.ranDry, &context) }
        }
    }

    mutating func follow(_ input: StreamCourse.Input, _ context: inout StepContext) {
        guard course.handle(input) else { return }
        report(&context)
        // Nothing is left to stop, so its resources are released at once.
        if course.handle(.released) { report(&context) }
    }

    private func report(_ context: inout StepContext) {
        let item = context.item.description
        context.log(.streamState(item: item, state: course.state.rawValue, stopReason: course.reason.rawValue))
    }
}
