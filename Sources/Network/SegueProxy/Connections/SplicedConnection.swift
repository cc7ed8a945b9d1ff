internal import CSegueSystem
internal import Glibc
internal import SegueBase
internal import SegueEvents
internal import SegueNetworkModel

/// A connection over a transparent link: the system moves its bytes from socket to socket.
final class SplicedConnection: ProxyConnection {
    private static let most = 1 << 20
    private static let turns = 8
    private static let restLimit = Duration.seconds(10)

    /// One direction: a pipe for `splice`, and its content.
    private struct Way {
        var ends: [Int32] = [-1, -1]
        var waiting = 0
        var isFinished = false
    }

    let record: ConnectionRecord
    private unowned let engine: ProxyEngine
    private let link: ProxiedLink
    var clientSocket: ProxiedSocket
    var server: ServerSocket
    private var down = Way()
    private var up = Way()
    /// The end that broke the connection, the reason, and the time limit for its last bytes.
    private var broken: (end: ProxyEnd, reason: ConnectionEnding, until: Instant)?

    init(_ record: ConnectionRecord, on link: ProxiedLink, engine: ProxyEngine, client: Int32, server: ServerSocket) {
        (self.record, self.link, self.engine, self.server) = (record, link, engine, server)
        clientSocket = ProxiedSocket(client)
        if server.hasFailed { serverFailed() }
    }

    func work() -> Bool {
        guard clientSocket.isOpen, isConnected() else { return false }
        guard broken == nil else { return passRest() }
        let steps = [(ProxyEnd.client, move(.up)), (.server, move(.down))]
        for (source, step) in steps {
            switch step {
            case .more, .wait: continue
            case .noPipe(let code):
                engine.say("\(record.client): \(SystemError.words(code)); the connection is reset")
                kill(.broken(code))
                return false
            case .sourceBroke(let code): return broke(source, code)
            case .targetBroke(let code): return broke(source == .client ? .server : .client, code)
            }
        }
        if up.isFinished, down.isFinished {
            clientSocket.close()
            server.socket.close()
            end(.closed)
            return false
        }
        return steps.contains { $0.1 == .more }
    }

    private func isConnected() -> Bool {
        guard server.isConnecting else { return true }
        guard server.socket.mayWrite else { return false }
        switch server.conclude() {
        case .connected: return true
        case .again: engine.watch(server.socket.descriptor, of: record, .server)
        case .failed: serverFailed()
        }
        return false
    }

    /// Handles a broken end: its last bytes still go to the other end, before the reset.
    private func broke(_ end: ProxyEnd, _ code: Int32) -> Bool {
        broken = (end, .broken(code), link.now + Self.restLimit)
        note(.everything, of: end)
        return passRest()
    }

    /// Passes on the last bytes of the broken end, and resets both ends when the other one has them.
    ///
    /// - Returns: True if more can be done at once.
    private func passRest() -> Bool {
        guard let broken else { return false }
        let step = move(broken.end == .server ? .down : .up, endsTarget: false)
        if step == .more { return true }
        let isPassed = broken.end == .server ? clientSocket.isDrained : server.socket.isDrained
        let isWaiting =
            switch step {
            case .wait: (broken.end == .server ? down.waiting : up.waiting) > 0 || !isPassed
            case .sourceBroke: !isPassed
            case .more, .noPipe, .targetBroke: false
            }
        guard isWaiting, link.now < broken.until else {
            kill(broken.reason)
            return false
        }
        engine.wake(record, in: .milliseconds(2))
        return false
    }

    /// Hands over the sockets, with the bytes in the pipes.
    func handOver() -> (client: Int32, server: ServerSocket, down: [UInt8], up: [UInt8]) {
        let left = (drain(&down), drain(&up))
        closePipes()
        return (clientSocket.descriptor, server, left.0, left.1)
    }

    func serverFailed() {
        guard let failure = server.failure else { return }
        engine.say("\(record.client): \(server.endpoint): \(failure); the client is reset")
        engine.happened(.linkFailed(link: link.name, connection: record.number, message: "\(failure)"))
        kill(.serverFailed(failure))
    }

    private enum Step: Equatable {
        case more
        case wait
        case noPipe(Int32)
        case sourceBroke(Int32)
        case targetBroke(Int32)
    }

    /// Moves bytes in a direction, and ends it after its source.
    private func move(_ direction: LinkDirection, endsTarget: Bool = true) -> Step {
        let (record, link) = (record, link)
        func count(_ bytes: Int) {
            record.count(bytes, direction)
            link.count(bytes, direction)
        }
        let step =
            direction == .up
            ? Self.move(through: &up, from: &clientSocket, to: &server.socket, count)
            : Self.move(through: &down, from: &server.socket, to: &clientSocket, count)
        if endsTarget { finish(direction) }
        return step
    }

    private func finish(_ direction: LinkDirection) {
        switch direction {
        case .up:
            guard clientSocket.hasEnded, up.waiting == 0, !up.isFinished else { return }
            up.isFinished = true
            server.socket.endWriting()
        case .down:
            guard server.socket.hasEnded, down.waiting == 0, !down.isFinished else { return }
            down.isFinished = true
            clientSocket.endWriting()
        }
    }

    /// Moves bytes in a direction while both sockets are ready, up to a number of iterations.
    private static func move(
        through way: inout Way,
        from source: inout ProxiedSocket,
        to target: inout ProxiedSocket,
        _ count: (Int) -> Void
    ) -> Step {
        for _ in 0..<turns {
            if way.waiting == 0, source.mayRead, !source.hasEnded {
                if way.ends[0] < 0 {
                    let code = ssock_pipe(&way.ends, Int32(most))
                    guard code == 0 else {
                        way.ends = [-1, -1]
                        return .noPipe(-code)
                    }
                }
                switch source.splice(to: way.ends[1], most) {
                case .moved(let count): way.waiting = count
                case .ended, .notNow: break
                case .broken(let code): return .sourceBroke(code)
                }
            }
            guard way.waiting > 0 else { break }
            guard target.mayWrite else { return .wait }
            switch target.splice(from: way.ends[0], way.waiting) {
            case .moved(let moved):
                way.waiting -= moved
                count(moved)
            case .ended, .notNow: break
            case .broken(let code): return .targetBroke(code)
            }
        }
        let goesOn = way.waiting > 0 ? target.mayWrite : source.mayRead && !source.hasEnded
        return goesOn ? .more : .wait
    }

    private func drain(_ way: inout Way) -> [UInt8] {
        guard way.waiting > 0 else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: way.waiting) { buffer, count in
            count = max(0, Glibc.read(way.ends[0], buffer.baseAddress, buffer.count))
        }
        way.waiting = 0
        return bytes
    }

    private func closePipes() {
        for end in down.ends + up.ends where end >= 0 { close(end) }
        (down.ends, up.ends) = ([-1, -1], [-1, -1])
    }

    func end(_ reason: ConnectionEnding) {
        closePipes()
        link.spliced[record.number] = nil
        engine.ended(record, on: link, reason)
    }
}
