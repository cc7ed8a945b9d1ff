internal import CSegueSystem
internal import Glibc
internal import SegueBase
internal import SegueEvents
internal import SegueNetworkModel

/// A connection over a link that neither slows nor loses anything: the system moves its bytes from socket to socket.
final class SplicedConnection: ProxyConnection {
    private static let most = 1 << 20
    private static let turns = 8

    /// One direction: a pipe, as the system wants it, and what is in it.
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

    init(_ record: ConnectionRecord, on link: ProxiedLink, engine: ProxyEngine, client: Int32, server: ServerSocket) {
        (self.record, self.link, self.engine, self.server) = (record, link, engine, server)
        clientSocket = ProxiedSocket(client)
        if server.hasFailed { serverFailed() }
    }

    func work() -> Bool {
        guard clientSocket.isOpen else { return false }
        if server.isConnecting {
            guard server.socket.mayWrite else { return false }
            switch server.conclude() {
            case .connected: break
            case .again:
                engine.watch(server.socket.descriptor, record, .server)
                return false
            case .failed:
                serverFailed()
                return false
            }
        }
        let steps = [
            Self.move(&up, &clientSocket, &server.socket) { count in
                record.count(count, .up)
                link.count(count, .up)
            },
            Self.move(&down, &server.socket, &clientSocket) { count in
                record.count(count, .down)
                link.count(count, .down)
            },
        ]
        for case .failed(let code) in steps {
            if SystemError.isShortage(code) { engine.say("\(record.client): \(SystemError.words(code)); it is reset") }
            kill(SystemError.words(code))
            return false
        }
        if up.isFinished, down.isFinished {
            clientSocket.close()
            server.socket.close()
            end("closed")
            return false
        }
        return steps.contains { $0 == .more }
    }

    /// Gives its sockets away, with the bytes that are between them.
    func handOver() -> (client: Int32, server: ServerSocket, down: [UInt8], up: [UInt8]) {
        let left = (drain(&down), drain(&up))
        closePipes()
        return (clientSocket.descriptor, server, left.0, left.1)
    }

    func serverFailed() {
        engine.say("\(record.client): \(server.endpoint): \(server.failure); the client is reset")
        engine.happened(.linkFailed(link: link.name, connection: record.number, message: server.failure))
        kill(server.failure)
    }

    private enum Step: Equatable {
        case more
        case wait
        case failed(Int32)
    }

    /// Moves bytes in a direction as long as both sides are ready, for some turns.
    private static func move(
        _ way: inout Way,
        _ source: inout ProxiedSocket,
        _ target: inout ProxiedSocket,
        _ count: (Int) -> Void
    ) -> Step {
        for _ in 0..<turns {
            if way.waiting == 0, source.mayRead, !source.hasEnded {
                if way.ends[0] < 0 {
                    let code = ssock_pipe(&way.ends, Int32(most))
                    guard code == 0 else {
                        way.ends = [-1, -1]
                        return .failed(-code)
                    }
                }
                switch source.splice(to: way.ends[1], most) {
                case .moved(let count): way.waiting = count
                case .ended, .notNow: break
                case .broken(let code): return .failed(code)
                }
            }
            guard way.waiting > 0 else { break }
            guard target.mayWrite else { return .wait }
            switch target.splice(from: way.ends[0], way.waiting) {
            case .moved(let moved):
                way.waiting -= moved
                count(moved)
            case .ended, .notNow: break
            case .broken(let code): return .failed(code)
            }
        }
        if source.hasEnded, way.waiting == 0, !way.isFinished {
            way.isFinished = true
            target.endWriting()
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

    func end(_ reason: String) {
        closePipes()
        link.spliced[record.number] = nil
        engine.ended(record, on: link, reason)
    }
}
