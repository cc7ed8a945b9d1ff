import Foundation
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import Synchronization

/// A worker's end of the line to the server.
final class ServerLine: Sendable {
    /// A question, and what stops the work on it.
    struct Asked: Sendable {
        var number: UInt32
        var question: Question
        let cancellation: Cancellation
    }

    private struct State {
        var waiting: Asked?
        var current: Asked?
        var kept: [UInt32: [UInt8]] = [:]
    }

    /// How often the server is told that work gets on, in microseconds.
    private static let betweenSigns: UInt32 = 500_000

    private let descriptor: Int32
    private let state = Monitor(State())
    private let sending = Mutex(())
    private let lastNumber = Atomic<UInt32>(0)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Says something; the process ends where nobody listens any more.
    func send(_ kind: Frame.Kind, question: UInt32, _ content: some Collection<UInt8>) {
        let header = Frame.Header(kind, question: question, length: content.count).bytes
        sending.withLock { _ in
            put(header)
            put(content)
        }
    }

    private func put(_ bytes: some Collection<UInt8>) {
        _ = bytes.withContiguousStorageIfAvailable { put($0) } ?? Array(bytes).withUnsafeBufferPointer { put($0) }
    }

    private func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        var sent = 0
        while sent < bytes.count {
            let count = write(descriptor, bytes.baseAddress! + sent, bytes.count - sent)
            if count > 0 {
                sent += count
            } else if errno != EINTR {
                _exit(0)
            }
        }
    }

    /// Waits for the next question; it is the current one until the next.
    func next() -> Asked {
        state.wait { state in
            state.current = nil
            guard let asked = state.waiting else { return nil }
            (state.current, state.waiting) = (asked, nil)
            return asked
        }
    }

    /// Asks the server what was kept of the file that is worked on.
    func kept(_ part: String) -> [UInt8]? {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let content = withUnsafeBytes(of: number.littleEndian) { Array($0) } + part.utf8
        guard content.count <= Frame.Kind.wanted.limit, let question = state.withLock({ $0.current?.number }) else {
            return nil
        }
        send(.wanted, question: question, content)
        let found = state.wait { $0.kept.removeValue(forKey: number) }
        return found.isEmpty ? nil : found
    }

    /// Has the server keep something of the file that is worked on.
    func keep(_ bytes: [UInt8], as part: String) {
        let name = Array(part.utf8)
        guard name.count <= 255, bytes.count < Frame.Kind.keep.limit - 256,
            let question = state.withLock({ $0.current?.number })
        else { return }
        send(.keep, question: question, [UInt8(name.count)] + name + bytes)
    }

    /// Tells the server, as long as there is work, that it gets on, where it does.
    func tellOfLife() {
        var last = (question: UInt32(0), packets: 0, looks: 0)
        while true {
            let asked = state.wait { $0.current }
            usleep(Self.betweenSigns)
            let now = (question: asked.number, packets: MediaWork.packets, looks: asked.cancellation.lookCount)
            if now != last { send(.alive, question: asked.number, []) }
            last = now
        }
    }

    /// Listens until the line breaks, and ends the process then, whatever it is at.
    func listen() {
        while let head = read(Frame.headerSize) {
            guard let header = Frame.Header(head), let content = read(header.length) else { break }
            switch header.kind {
            case .question:
                guard let question = try? JSONDecoder().decode(Question.self, from: Data(content)) else { _exit(2) }
                let asked = Asked(number: header.question, question: question, cancellation: Cancellation())
                state.withLock { $0.waiting = asked }
            case .cancel:
                let asked = state.withLock { state in
                    [state.waiting, state.current].compactMap { $0 }.first { $0.number == header.question }
                }
                asked?.cancellation.cancel()
            case .kept where content.count >= 4:
                let number = content[0..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                state.withLock { $0.kept[number] = Array(content[4...]) }
            default: _exit(2)
            }
        }
        _exit(0)
    }

    /// So many bytes; nil where the line has broken.
    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let portion = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + got, count - got) }
            if portion < 0, errno == EINTR { continue }
            guard portion > 0 else { return nil }
            got += portion
        }
        return bytes
    }
}

/// Keeps what opening the file shows that is worked on: at the server, which has the disk.
struct RemoteKeeper: IndexKeeping {
    let line: ServerLine
    /// The file that is worked on.
    let file: FileIdentity

    func kept(_ part: String, of file: FileIdentity) -> [UInt8]? { file == self.file ? line.kept(part) : nil }

    func keep(_ bytes: [UInt8], as part: String, of file: FileIdentity) {
        if file == self.file { line.keep(bytes, as: part) }
    }
}
