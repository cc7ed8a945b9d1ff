internal import SegueBase
internal import SeguePlayerModel

/// The numbers of a dialog with a driver: its clock, its items, and the commands without a response.
struct DriverDialog {
    /// The driver's first line; nil before it.
    private(set) var hello: DriverHello?

    /// The offset from the driver's clock to the run's.
    private var offset = 0.0
    private var commands = 0
    /// The names of commands without a response.
    private var unanswered: [Int: String] = [:]
    private var opened = 0

    var isAnswered: Bool { unanswered.isEmpty }

    var oldestUnanswered: String? { unanswered.min { $0.key < $1.key }?.value }

    mutating func begin(_ hello: DriverHello, at now: Instant) {
        self.hello = hello
        offset = now.seconds - hello.clock
    }

    /// The instant of a time of the driver's clock.
    func instant(of seconds: Double) -> Instant { Instant(seconds: seconds + offset) }

    /// Gives a command its number, and waits for the response.
    mutating func number(_ command: inout DriverCommand) {
        commands += 1
        command.id = commands
        unanswered[commands] = command.name
    }

    /// Returns the name of a command that was waiting for its response; nil for others.
    mutating func answered(_ id: Int) -> String? { unanswered.removeValue(forKey: id) }

    /// Returns a new item with the next identifier.
    mutating func open(_ url: String) -> DriverCommand.Item {
        opened += 1
        return DriverCommand.Item(item: ItemID(opened).description, url: url)
    }
}
