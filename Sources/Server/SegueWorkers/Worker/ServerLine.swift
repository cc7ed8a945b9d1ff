import Foundation
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import Synchronization

/// A worker's end of the socket to the server.
final class ServerLine: Sendable {
    /// A question and the cancellation of its work.
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

    /// The interval of signs of life in microseconds.
    private static let betweenSigns: UInt32 = 500_000

    private let descriptor: Int32
    private let state = Monitor(State())
    private let sending = Mutex(())
    private let lastNumber = Atomic<UInt32>(0)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Sends a frame; exits if the server is gone.
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

    /// Waits for the next question, which becomes the current one.
    func next() -> Asked {
        state.wait { state in
            state.current = nil
            guard let asked = state.waiting else { return nil }
            (state.current, state.waiting) = (asked, nil)
            return asked
        }
    }

    /// Requests a stored index of the current file from the server.
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

    /// Stores an index of the current file at the server.
    func keep(_ bytes: [UInt8], as part: String) {
        let name = Array(part.utf8)
        guard name.count <= 255, bytes.count < Frame.Kind.keep.limit - 256,
            let question = state.withLock({ $0.current?.number })
        else { return }
        send(.keep, question: question, [UInt8(name.count)] + name + bytes)
    }

    /// Sends signs of life while the work makes progress.
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

    /// Reads frames until the socket breaks, then exits in any state.
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

    /// Reads a number of bytes; nil if the socket has broken.
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

/// A store of indexes at the server, which has access to the disk.
struct RemoteKeeper: IndexKeeping {
    let line: ServerLine
    /// The current file.
    let file: FileIdentity

    func kept(_ part: String, of file: FileIdentity) -> [UInt8]? { file == self.file ? line.kept(part) : nil }

    func keep(_ bytes: [UInt8], as part: String, of file: FileIdentity) {
        if file == self.file { line.keep(bytes, as: part) }
    }
}
