import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin
import SeguePackager

/// A player of audio files in a worker of its own, since a station runs as long as it has listeners.
///
/// If the worker crashes on a file, the rest of that file is skipped, and another worker continues with the next.
final class RemoteRadio: RadioPlaying {
    private let format: RadioFormat
    private let emit: ([UInt8]) throws -> Void
    private let workers: WorkerProcesses
    private var worker: Worker?

    init(_ format: RadioFormat, _ workers: WorkerProcesses, emit: @escaping ([UInt8]) throws -> Void) {
        (self.format, self.workers, self.emit) = (format, workers, emit)
    }

    func play(path: String, cancellation: Cancellation, begin: ([String: String]) -> Void) throws -> Bool {
        var refusal: (any Error)?
        do {
            return try play(path, cancellation: cancellation, begin: begin) { refusal = $0 }
        } catch let error as PackagingError {
            if let refusal { throw refusal }
            try cancellation.check("play", file: path)
            throw MediaError(call: "play", file: path, message: error.message)
        }
    }

    private func play(
        _ path: String,
        cancellation: Cancellation,
        begin: ([String: String]) -> Void,
        refused: (any Error) -> Void
    ) throws -> Bool {
        var question = Question(.play, try FileIdentity(ofFileAt: path))
        question.radio = format
        try workers.checkSetAside(question.file)
        let worker = try self.worker ?? workers.startAlone()
        self.worker = nil
        let answered = withoutActuallyEscaping(begin) { begin in
            withoutActuallyEscaping(refused) { refused in
                var setting = workers.setting(cancellation)
                // Listeners set the pace.
                setting.limits.time = .seconds(Int32.max)
                setting.take = { [emit] kind, content in
                    guard kind == .audio else {
                        return begin((try? JSONDecoder().decode([String: String].self, from: Data(content))) ?? [:])
                    }
                    do {
                        try emit(content)
                    } catch {
                        refused(error)
                        throw error
                    }
                }
                return Result { () throws(WorkerFailure) in try worker.ask(question, setting) }
            }
        }
        switch answered {
        case .success(let reply):
            self.worker = worker
            if let failure = reply.answer.failure { throw failure.error(file: path) }
            return reply.answer.isHeard ?? false
        case .failure(let failure): throw workers.lost(at: question, failure)
        }
    }
}
