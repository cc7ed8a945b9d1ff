import Foundation
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import Synchronization

/// A worker's process, and the line to it.
///
/// One thread at a time has it: whoever leased it from the pool.
final class Worker: @unchecked Sendable {
    // Sendable: `sending` may be taken by any thread; all else is touched by who has leased it alone.

    /// An answer, and the bytes that came with it.
    struct Reply {
        var answer: Answer
        var bytes: [UInt8]
    }

    /// What a conversation needs besides its question.
    struct Setting {
        var limits: WorkerLimits
        /// What was kept of files; nil where nothing is.
        var keeper: (any IndexKeeping)?
        var cancellation: Cancellation
        /// Told when it takes longer than what is quick.
        var whenHeld: () -> Void = {}
        /// Takes what comes besides the answer: the tags and the frames of what is played; may block.
        var take: (Frame.Kind, [UInt8]) throws -> Void = { kind, _ in
            throw WorkerFailure.nonsense("frame \(kind.rawValue)")
        }
    }

    /// How many bytes an answer may have.
    static let greatestAnswer = 1 << 30
    /// How many opened files it is taken to have.
    private static let filesHeld = 4
    /// How long a worker has to hear of a cancellation.
    static let afterCancellation = Duration.seconds(2)

    let process: StartedProcess
    /// The folders and files that it may read.
    let reach: [String]
    /// The files that it opened last, the last one first.
    private(set) var opened: [String] = []
    /// How many questions it has answered.
    private(set) var answered = 0

    private var buffer = [UInt8](repeating: 0, count: 256 << 10)
    private var reader = FrameReader()
    private var lastQuestion: UInt32 = 0
    private let sending = Mutex(())

    init(_ process: StartedProcess, reach: [String]) { (self.process, self.reach) = (process, reach) }

    /// Whether it has ended while it had nothing to do.
    var isLost: Bool {
        var end = pollfd(fd: process.line, events: 0, revents: 0)
        return poll(&end, 1, 0) != 0
    }

    /// Waits until it is ready.
    ///
    /// - Parameter patience: How long.
    /// - Returns: What it says.
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

    /// Asks it something, and waits for the answer.
    ///
    /// - Parameters:
    ///   - question: What.
    ///   - setting: What else that takes.
    /// - Returns: The answer.
    /// - Throws: ``WorkerFailure``; the process is of no use then, and has been ended.
    func ask(_ question: Question, _ setting: Setting) throws(WorkerFailure) -> Reply {
        lastQuestion &+= 1
        var bytes: [UInt8] = []
        var answer: Answer?
        let number = lastQuestion
        // Whoever gives up wakes the worker, not this thread: the worker's answer does that.
        let registration = setting.cancellation.whenCancelled { [weak self] in self?.sendCancellation(number) }
        defer { setting.cancellation.forget(registration) }
        let encoded: Data
        do {
            encoded = try JSONEncoder().encode(question)
        } catch {
            throw .nonsense("a question that cannot be written")
        }
        try send(.question, Array(encoded), setting)
        try listen(setting) { event in
            switch event {
            case .bytes(let part):
                guard bytes.count + part.count <= Self.greatestAnswer else {
                    throw WorkerFailure.nonsense("more than \(Self.greatestAnswer >> 20) MiB")
                }
                bytes += part
            case .frame(let header, let content):
                switch header.kind {
                case .size:
                    let size = content.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    // It need not be true.
                    bytes.reserveCapacity(Int(min(size, 64 << 20)))
                case .wanted: try send(.kept, Self.kept(content, of: question.file, setting), setting)
                case .tags, .sound: try setting.take(header.kind, content)
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
            throw .nonsense("\(type) that cannot be read")
        }
    }

    /// What was kept of the file that the question is about; a worker is told of no other.
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

    /// Listens until `handle` says that it is over.
    private func listen(_ setting: Setting, _ handle: (FrameReader.Event) throws -> Bool) throws(WorkerFailure) {
        var guardian = WorkerWatch(process, setting, question: lastQuestion) { [self] in sendCancellation($0) }
        var isOver = false
        while !isOver {
            let count = recv(process.line, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                guardian.hear()
                do {
                    try reader.take(buffer[..<count], of: lastQuestion) { event in
                        // A sign of life may cross the answer.
                        if case .frame(let header, _) = event, header.kind == .alive { return }
                        if isOver { throw WorkerFailure.nonsense("more than an answer") }
                        isOver = try handle(event)
                    }
                } catch let failure as WorkerFailure {
                    throw end(failure)
                } catch is FrameReader.Nonsense {
                    throw end(.nonsense("no frame"))
                } catch {
                    // Whoever took what came wants no more.
                    throw end(.cancelled)
                }
                // What came may have been taken slowly.
                guardian.hear()
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                try wait(Int16(POLLIN), &guardian)
            } else {
                throw end(nil)
            }
        }
        guardian.finish()
    }

    private func send(_ kind: Frame.Kind, _ content: [UInt8], _ setting: Setting) throws(WorkerFailure) {
        var guardian = WorkerWatch(process, setting, question: lastQuestion) { _ in }
        let bytes = Frame.Header(kind, question: lastQuestion, length: content.count).bytes + content
        // Held to the end of the frame, so that no cancellation comes into the middle of it.
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

    /// Tells it that nobody waits; where that cannot be said now, whoever waits finds out soon.
    private func sendCancellation(_ number: UInt32) {
        let bytes = Frame.Header(.cancel, question: number, length: 0).bytes
        _ = sending.withLockIfAvailable { _ in
            Glibc.send(process.line, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
    }

    private func wait(_ events: Int16, _ guardian: inout WorkerWatch) throws(WorkerFailure) {
        var end = pollfd(fd: process.line, events: events, revents: 0)
        poll(&end, 1, WorkerWatch.interval)
        if let failure = guardian.look() { throw self.end(failure) }
    }

    /// Ends it, and says why it has ended.
    private func end(_ failure: WorkerFailure?) -> WorkerFailure {
        if let failure {
            process.kill()
            return failure
        }
        // The line broke: it has ended, or is about to.
        guard let status = process.waitForEnd(milliseconds: 1000) else {
            process.kill()
            return .nonsense("it closed its line")
        }
        let signal = status & 0x7F
        if signal == 0 { return .exit((status >> 8) & 0xFF) }
        return signal == SIGKILL || signal == SIGTERM ? .killed(signal) : .signal(signal)
    }
}
