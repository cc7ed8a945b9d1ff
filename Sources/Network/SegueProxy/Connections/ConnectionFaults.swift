internal import SegueBase

/// The faults that the requests of a connection meet, with the pauses and the end that they cause.
struct ConnectionFaults {
    /// An end by a fault.
    enum Cut { case close, reset }

    /// Applies faults to requests; nil without faults.
    var filter: FaultFilter?
    /// The bytes that the filter passes to the server.
    var forward = ByteQueue()
    /// The end of the connection by a fault.
    var cut: Cut?
    /// True if a fault delays the response.
    private(set) var isPaused = false
    private var pauseEnd = Instant.zero

    /// True if nothing is read from the server.
    var stopsServer: Bool { isPaused || cut != nil }

    /// Delays the response.
    mutating func pause(until end: Instant) { (isPaused, pauseEnd) = (true, end) }

    /// Ends a pause that is over.
    mutating func resume(at now: Instant) { isPaused = isPaused && now < pauseEnd }

    /// Removes the next action; nil during a pause and after the end.
    mutating func next() -> FaultFilter.Action? { stopsServer ? nil : filter?.next() }
}
