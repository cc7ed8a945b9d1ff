import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin
import SeguePackager

/// The task loop of a worker, which uses libav in its own process.
final class WorkerLoop {
    /// A question without a required parameter.
    private struct Incomplete: Error {}

    /// The maximum number of open files.
    private static let filesHeld = 4

    private let line: ServerLine
    private let faults: PlantedFaults?
    private let store: PresentationStore
    /// The encoder of a station, and its format.
    private var radio: (format: RadioFormat, encoder: RadioEncoder)?
    private var playedFor: UInt32 = 0

    init(_ line: ServerLine, faults: PlantedFaults?) {
        (self.line, self.faults) = (line, faults)
        store = PresentationStore(limit: Self.filesHeld, work: WorkOfWorker(line: line))
    }

    /// Waits for a question and answers it.
    func answerNext() {
        let asked = line.next()
        var answer = Answer()
        do {
            faults?.strike(asked.question)
            playedFor = asked.number
            let bytes = try self.answer(asked.question, into: &answer, work: asked.cancellation)
            send(bytes, asked.number)
        } catch {
            answer = Answer(failure: Answer.Failure(error, file: asked.question.file.path))
        }
        // A value that cannot be encoded is a bug; the server notices the broken socket.
        guard let encoded = try? JSONEncoder().encode(answer) else { _exit(3) }
        line.send(.end, question: asked.number, encoded)
    }

    private func send(_ bytes: [UInt8], _ number: UInt32) {
        guard !bytes.isEmpty else { return }
        let size = (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
        line.send(.size, question: number, size)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Frame.pieceLimit)
            line.send(.piece, question: number, bytes[start..<end])
            start = end
        }
    }

    private func answer(_ question: Question, into answer: inout Answer, work: Cancellation) throws -> [UInt8] {
        switch question.kind {
        case .look:
            answer.look = try OwnFileWork().look(into: question.file.path, cancellation: work)
            return []
        case .artwork:
            let wish = question.artwork ?? ArtworkWish()
            return try OwnFileWork().artwork(of: question.file.path, wish, cancellation: work)
        case .play:
            answer.isHeard = try play(question, work)
            return []
        default: break
        }
        let presentation = try store.presentation(
            of: question.file,
            for: question.device,
            in: question.opening,
            cancellation: work
        )
        let bytes = try self.answer(question, of: presentation, into: &answer, work: work)
        answer.refusedAudio = presentation.refusedAudio
        return bytes
    }

    /// Plays a file; one encoder runs through all played files.
    private func play(_ question: Question, _ work: Cancellation) throws -> Bool {
        let format = question.radio ?? .mp3
        if radio?.format != format {
            let encoder = try RadioEncoder(format) { [unowned self] frame in
                line.send(.audio, question: playedFor, frame)
            }
            radio = (format, encoder)
        }
        guard let encoder = radio?.encoder else { return false }
        return try encoder.play(path: question.file.path, cancellation: work) { tags in
            guard let encoded = try? JSONEncoder().encode(tags), encoded.count <= Frame.Kind.tags.limit else { return }
            line.send(.tags, question: playedFor, encoded)
        }
    }

    private func answer(
        _ question: Question,
        of presentation: any Presenting,
        into answer: inout Answer,
        work: Cancellation
    ) throws -> [UInt8] {
        func needed<Value>(_ value: Value?) throws -> Value {
            guard let value else { throw Incomplete() }
            return value
        }
        switch question.kind {
        case .open: answer.facts = presentation.facts
        case .look, .artwork, .play: break
        case .copied:
            let copied = (presentation as? Presentation)?.copied ?? []
            return copied.count <= Question.copiedLimit ? copied : []
        case .audioTracks: answer.streams = try presentation.audioTracks(cancellation: work)
        case .keyframes:
            answer.keyframes = try presentation.keyframes().map { .init(segment: $0.segment, duration: $0.duration) }
        case .description:
            answer.description = try presentation.rendition(
                needed(question.rendition),
                in: needed(question.container),
                cancellation: work
            )
        case .extent:
            answer.extent = try presentation.extent(
                of: needed(question.rendition),
                in: needed(question.container),
                cancellation: work
            )
        case .isEncoded:
            answer.isEncoded = presentation.isEncoded(try needed(question.rendition), cancellation: work)
            if work.isCancelled { throw PackagingError(.cancelled, file: question.file.path, "cancelled") }
        case .initSegment:
            return try presentation.initSegment(needed(question.rendition), cancellation: work)
        case .segment:
            return try presentation.segment(
                needed(question.number),
                of: needed(question.rendition),
                in: needed(question.container),
                cancellation: work
            )
        case .parts:
            return try presentation.parts(target: max(1, needed(question.target)), cancellation: work).bytes
        case .subtitles:
            return try presentation.subtitleSegment(
                needed(question.number),
                of: needed(question.stream),
                cancellation: work
            )
        case .sideSubtitles:
            return try presentation.subtitleSegment(
                needed(question.number),
                ofFile: needed(question.side),
                cancellation: work
            )
        }
        return []
    }
}

/// Opens files in a worker; the server stores the indexes.
private struct WorkOfWorker: FileWork {
    /// The maximum size of encoded data that an open file keeps.
    private static let keptCoding = 0

    let line: ServerLine
    private let scans = GrowingScans()
    var report: FileWorkReport? { nil }

    init(line: ServerLine) { self.line = line }

    func open(
        _ identity: FileIdentity,
        for device: DeviceProfile,
        in container: SegmentContainer?,
        cancellation: Cancellation
    ) throws(PackagingError) -> any Presenting {
        let keeper = RemoteKeeper(line: line, file: identity)
        return try OwnFileWork(keeper: keeper, keptCoding: Self.keptCoding, scans: scans)
            .open(identity, for: device, in: container, cancellation: cancellation)
    }

    func look(into path: String, cancellation: Cancellation) throws -> MediaDescription {
        try OwnFileWork().look(into: path, cancellation: cancellation)
    }

    func artwork(of path: String, _ wish: ArtworkWish, cancellation: Cancellation) throws -> [UInt8] {
        try OwnFileWork().artwork(of: path, wish, cancellation: cancellation)
    }

    func radio(_ format: RadioFormat, emit: @escaping ([UInt8]) throws -> Void) throws -> any RadioPlaying {
        try OwnFileWork().radio(format, emit: emit)
    }
}
