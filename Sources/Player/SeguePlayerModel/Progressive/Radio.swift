internal import SegueBase
internal import SegueEvents
internal import SegueFetch

/// An endless stream that is played: what it has brought, how its player goes on, and its titles.
struct Radio: Sendable {
    private(set) var buffer: RadioBuffer

    /// Whether the server ended it.
    private(set) var hasEnded = false

    private var course = StreamCourse()
    private var titles = StreamTitles()

    /// A stream that has been asked for, and has been answered.
    init(from position: Duration, metadata: IcyReader?, isRadio: Bool, _ turn: inout Turn) {
        buffer = RadioBuffer(from: position, metadata: metadata, isRadio: isRadio)
        follow(.open, &turn)
        follow(.answered, &turn)
    }

    /// Whether the server announces itself as one of internet radio, whose streams do not end by themselves.
    var isRadio: Bool { buffer.isRadio }

    /// What is there and not yet let go.
    var held: Range<Duration> { buffer.held }

    /// Takes in bytes.
    ///
    /// - Returns: The sound in them.
    mutating func take(_ bytes: [UInt8], _ turn: inout Turn) -> [UInt8] {
        let (sound, new) = buffer.take(bytes)
        if let title = titles.take(new, at: turn.now) {
            turn.log(.streamTitle(item: turn.item.description, title: title))
        }
        return sound
    }

    /// Goes on with another connection to the same stream, behind what is there.
    mutating func connect(_ response: FetchResponse, _ turn: inout Turn) {
        follow(.answered, &turn)
        let metadata = IcyReader(interval: response.header("icy-metaint"))
        buffer.reconnect(at: nil, metadata: metadata, isRadio: isRadio)
    }

    /// Goes on with another connection at a position, since nobody sends a stream to somebody who does not listen for so
    /// long.
    mutating func rejoin(at position: Duration) { buffer.reconnect(at: position, metadata: nil, isRadio: isRadio) }

    /// Lets go of what lies before a position.
    mutating func release(before position: Duration) { buffer.release(before: position) }

    /// The server ended it.
    mutating func end(_ turn: inout Turn) {
        hasEnded = true
        follow(.ended, &turn)
    }

    /// Takes in what the player does with it.
    mutating func follow(_ control: TimeControl, _ turn: inout Turn) {
        switch control {
        case .playing: follow(StreamCourse.Input.sounded, &turn)
        case .paused: follow(StreamCourse.Input.paused, &turn)
        case .waiting:
            if course.state == .paused { follow(.resumed, &turn) }
            if course.state == .playing { follow(.ranDry, &turn) }
        }
    }

    mutating func follow(_ input: StreamCourse.Input, _ turn: inout Turn) {
        guard course.take(input) else { return }
        let item = turn.item.description
        turn.log(.streamState(item: item, state: course.state.rawValue, stopReason: course.reason.rawValue))
    }
}
