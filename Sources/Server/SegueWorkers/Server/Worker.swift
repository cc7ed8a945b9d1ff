import Foundation
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import Synchronization

/// A worker process and the socket to it, used by one thread at a time, which leases it from the pool.
final class Worker: @unchecked Sendable {
    // Sendable: any thread may lock `sending`; only the leaseholder accesses the rest.

    /// An answer with its bytes.
    struct Reply {
        var answer: Answer
        var bytes: [UInt8]
    }

    /// The parameters of a conversation besides the question.
    struct Setting {
        var limits: WorkerLimits
        /// The store of indexes; nil for none.
        var keeper: (any IndexKeeping)?
        var cancellation: Cancellation
        /// Called if the work takes longer than short work may.
        var whenHeld: () -> Void = {}
        /// Receives frames besides the answer: the tags and frames of audio; may block.
        var take: (Frame.Kind, [UInt8]) throws -> Void = { kind, _ in
            throw WorkerFailure.nonsense("frame \(kind.rawValue)")
        }
    }

    /// The maximum number of bytes of an answer.
    static let answerLimit = 1 << 30
    /// The assumed number of files that a worker keeps open.
    private static let filesHeld = 4
    /// The time in which a worker has to react to a cancellation.
    static let afterCancellation = Duration.seconds(2)

    let process: StartedProcess
    /// The folders and files that it may read.
    let reach: [String]
    /// The most recently opened files, the newest first.
    private(set) var opened: [String] = []
    /// The number of answered questions.
    private(set) var answered = 0

    private var buffer = [UInt8](repeating: 0, count: 256 << 10)
    private var reader = FrameReader()
    private var lastQuestion: UInt32 = 0
    private let sending = Mutex(())

    init(_ process: StartedProcess, reach: [String]) { (self.process, self.reach) = (process, reach) }

    /// True if it ended while it was idle.
    var isLost: Bool {
        var end = pollfd(fd: process.line, events: 0, revents: 0)
        return poll(&end, 1, 0) != 0
    }

    /// Waits until the worker is ready.
    ///
    /// - Returns: Its greeting.
    /// - Throws: ``WorkerFailure``.
    func greeting(within patience: Duration) throws(WorkerFailure) -> Greeting {
        var greeting: Greeting?
        let setting = Setting(
            limits: WorkerLimits(patience: patience, time: patience),
            cancellation: Cancellation()
        )
        try listen(setting) { event in
            guard case .frame(let header, let content) = event, header.kind == .ready else {
                throw WorkerFailure.nonsense("no greeting")
            }
            greeting = try Self.decode(Greeting.self, content)
            return true
        }
        return greeting ?? Greeting(missing: [])
    }

    /// Sends a question and waits for the answer.
    ///
    /// - Returns: The answer.
    /// - Throws: ``WorkerFailure``; the process has ended then.
    func ask(_ question: Question, _ setting: Setting) throws(WorkerFailure) -> Reply {
        lastQuestion &+= 1
        var bytes: [UInt8] = []
        var answer: Answer?
        let number = lastQuestion
        // The cancellation wakes the worker, whose answer wakes this thread.
        let registration = setting.cancellation.whenCancelled { [weak self] in self?.sendCancellation(number) }
        defer { setting.cancellation.forget(registration) }
        let encoded: Data
        do {
            encoded = try JSONEncoder().encode(question)
        } catch {
            throw .nonsense("a question that cannot be encoded")
        }
        try send(.question, Array(encoded), setting: setting)
        try listen(setting) { event in
            switch event {
            case .bytes(let part):
                guard bytes.count + part.count <= Self.answerLimit else {
                    throw WorkerFailure.nonsense("more than \(Self.answerLimit >> 20) MiB")
                }
                bytes += part
            case .frame(let header, let content):
                switch header.kind {
                case .size:
                    let size = content.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    // The announced size may be wrong.
                    bytes.reserveCapacity(Int(min(size, 64 << 20)))
                case .wanted: try send(.kept, Self.kept(content, of: question.file, setting), setting: setting)
                case .tags, .audio: try setting.take(header.kind, content)
                case .keep: Self.keep(content, of: question.file, setting)
                case .end:
                    answer = try Self.decode(Answer.self, content)
                    return true
                default: throw WorkerFailure.nonsense("frame \(header.kind.rawValue)")
                }
            }
            return false
        }
        guard let answer else { throw .nonsense("no answer") }
        answered += 1
        opened.removeAll { $0 == question.opened }
        opened.insert(question.opened, at: 0)
        if opened.count > Self.filesHeld { opened.removeLast() }
        return Reply(answer: answer, bytes: bytes)
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws(WorkerFailure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw .nonsense("a malformed \(type)")
        }
    }

    /// The stored index of the question's file; a worker gets no other.
    private static func kept(_ wanted: [UInt8], of file: FileIdentity, _ setting: Setting) -> [UInt8] {
        let number = wanted.prefix(4)
        let name = String(decoding: wanted.dropFirst(4), as: UTF8.self)
        guard let found = setting.keeper?.kept(name, of: file), found.count + 8 < Frame.Kind.kept.limit else {
            return Array(number)
        }
        return number + found
    }

    private static func keep(_ content: [UInt8], of file: FileIdentity, _ setting: Setting) {
        guard let length = content.first.map(Int.init), content.count > length else { return }
        let name = String(decoding: content[1...length], as: UTF8.self)
        setting.keeper?.keep(Array(content[(1 + length)...]), as: name, of: file)
    }

    // MARK: The line

    /// Reads frames until `handle` returns true.
    private func listen(_ setting: Setting, _ handle: (FrameReader.Event) throws -> Bool) throws(WorkerFailure) {
        var guardian = WorkerMonitor(process, setting, question: lastQuestion) { [self] in sendCancellation($0) }
        var isOver = false
        while !isOver {
            let count = recv(process.line, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                guardian.hear()
                do {
                    try reader.take(buffer[..<count], of: lastQuestion) { event in
                        // A sign of life may cross the answer.
                        if case .frame(let header, _) = event, header.kind == .alive { return }
                        if isOver { throw WorkerFailure.nonsense("data after the answer") }
                        isOver = try handle(event)
                    }
                } catch let failure as WorkerFailure {
                    throw end(failure)
                } catch is FrameReader.Nonsense {
                    throw end(.nonsense("a malformed frame"))
                } catch {
                    // The receiver of the frames wants no more.
                    throw end(.cancelled)
                }
                // The receiver may have been slow.
                guardian.hear()
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                try wait(Int16(POLLIN), &guardian)
            } else {
                throw end(nil)
            }
        }
        guardian.finish()
    }

    private func send(_ kind: Frame.Kind, _ content: [UInt8], setting: Setting) throws(WorkerFailure) {
        var guardian = WorkerMonitor(process, setting, question: lastQuestion) { _ in }
        let bytes = Frame.Header(kind, question: lastQuestion, length: content.count).bytes + content
        // Locked to the end of the frame, so that a cancellation cannot interrupt it.
        let failure: WorkerFailure? = sending.withLock { _ in
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(
                        process.line,
                        $0.baseAddress! + sent,
                        $0.count - sent,
                        Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
                    )
                }
                if count >= 0 {
                    sent += count
                } else if errno == EAGAIN || errno == EINTR {
                    do throws(WorkerFailure) { try wait(Int16(POLLOUT), &guardian) } catch { return error }
                } else {
                    return end(nil)
                }
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Sends a cancellation; if that is impossible now, the waiting thread finds out soon.
    private func sendCancellation(_ number: UInt32) {
        let bytes = Frame.Header(.cancel, question: number, length: 0).bytes
        _ = sending.withLockIfAvailable { _ in
            Glibc.send(process.line, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
    }

    private func wait(_ events: Int16, _ guardian: inout WorkerMonitor) throws(WorkerFailure) {
        var end = pollfd(fd: process.line, events: events, revents: 0)
        poll(&end, 1, WorkerMonitor.interval)
        if let failure = guardian.look() { throw self.end(failure) }
    }

    /// Ends the process and returns the reason.
    private func end(_ failure: WorkerFailure?) -> WorkerFailure {
        if let failure {
            process.kill()
            return failure
        }
        // The socket broke: the process has ended or is about to.
        guard let status = process.waitForEnd(milliseconds: 1000) else {
            process.kill()
            return .nonsense("it closed its socket")
        }
        let signal = status & 0x7F
        if signal == 0 { return .exit((status >> 8) & 0xFF) }
        return signal == SIGKILL || signal == SIGTERM ? .killed(signal) : .signal(signal)
    }
}
