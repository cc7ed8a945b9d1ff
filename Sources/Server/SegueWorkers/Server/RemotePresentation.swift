import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import Synchronization

/// A file that workers have open.
///
/// The result of opening it is cached here; everything else is requested, and cached if it is small.
final class RemotePresentation: Presenting {
    private struct Known: Sendable {
        var descriptions: [Key: RenditionDescription] = [:]
        var extents: [Key: RenditionExtent] = [:]
        var isEncoded: [Rendition: Bool] = [:]
        var audioTracks: [StreamInfo]?
        var refusedAudio: [Int: PackagingError]
        /// The cuts that need no libav; nil inside if there are none, nil outside before they are requested.
        var copied: CopiedCuts??
    }

    private struct Key: Hashable {
        var rendition: Rendition
        var container: SegmentContainer
    }

    let identity: FileIdentity
    let device: DeviceProfile
    let facts: PresentationFacts
    private let opening: SegmentContainer?
    private let workers: WorkerProcesses
    private let known: Mutex<Known>

    /// - Parameters:
    ///   - question: The question that opened it.
    ///   - workers: The workers that can open it again.
    /// - Throws: ``PackagingError`` if the answer is invalid.
    init(_ question: Question, _ answer: Answer, workers: WorkerProcesses) throws(PackagingError) {
        guard let facts = answer.facts, facts.isValid else {
            throw PackagingError(
                .broken,
                file: question.file.path,
                "a worker's answer lacks the description of the file"
            )
        }
        (identity, device, opening, self.facts, self.workers) =
            (question.file, question.device, question.opening, facts, workers)
        known = Mutex(Known(refusedAudio: answer.refusedAudio ?? [:]))
    }

    var refusedAudio: [Int: PackagingError] { known.withLock { $0.refusedAudio } }

    func audioTracks(cancellation: Cancellation) throws(PackagingError) -> [StreamInfo] {
        if let audioTracks = known.withLock({ $0.audioTracks }) { return audioTracks }
        let audioTracks = try ask(question(.audioTracks), isLong: false, cancellation).answer.streams ?? []
        known.withLock { $0.audioTracks = audioTracks }
        return audioTracks
    }

    func keyframes() throws(PackagingError) -> [(segment: Int, duration: Rational)] {
        let found = try ask(question(.keyframes), isLong: false, Cancellation()).answer.keyframes ?? []
        return found.filter { plan.segments.indices.contains($0.segment) }.map { ($0.segment, $0.duration) }
    }

    func rendition(
        _ rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> RenditionDescription {
        let key = Key(rendition: rendition, container: container)
        if let description = known.withLock({ $0.descriptions[key] }) { return description }
        let question = question(.description, rendition: rendition, container: container)
        guard let description = try ask(question, isLong: true, cancellation).answer.description,
            description.fits(plan)
        else { throw nonsense }
        known.withLock { $0.descriptions[key] = description }
        return description
    }

    func extent(
        of rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> RenditionExtent {
        let key = Key(rendition: rendition, container: container)
        if let extent = known.withLock({ $0.extents[key] }) { return extent }
        let question = question(.extent, rendition: rendition, container: container)
        guard let extent = try ask(question, isLong: false, cancellation).answer.extent, extent.fits(plan) else {
            throw nonsense
        }
        known.withLock { $0.extents[key] = extent }
        return extent
    }

    func isEncoded(_ rendition: Rendition, cancellation: Cancellation) -> Bool {
        if let isEncoded = known.withLock({ $0.isEncoded[rendition] }) { return isEncoded }
        if let copied = try? copied(cancellation), copied.holds(rendition) { return false }
        let question = question(.isEncoded, rendition: rendition)
        guard let isEncoded = try? ask(question, isLong: false, cancellation).answer.isEncoded else { return false }
        known.withLock { $0.isEncoded[rendition] = isEncoded }
        return isEncoded
    }

    func initSegment(_ rendition: Rendition, cancellation: Cancellation) throws(PackagingError) -> [UInt8] {
        try ask(question(.initSegment, rendition: rendition), isLong: false, cancellation).bytes
    }

    func segment(
        _ number: Int,
        of rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        if let copied = try copied(cancellation), copied.holds(rendition) {
            return try copied.segment(number, of: rendition, in: container, cancellation: cancellation)
        }
        var question = question(.segment, rendition: rendition, container: container)
        question.number = number
        let isLong = known.withLock { $0.isEncoded[rendition] } ?? isEncoded(rendition, cancellation: cancellation)
        return try ask(question, isLong: isLong, cancellation).bytes
    }

    func parts(target: Int64, cancellation: Cancellation) throws(PackagingError) -> PartPlan {
        if let copied = try copied(cancellation), copied.holds(.full) { return try copied.parts(target: target) }
        var question = question(.parts)
        question.target = target
        let bytes = try ask(question, isLong: false, cancellation).bytes
        guard let parts = PartPlan(bytes, of: plan) else { throw nonsense }
        return parts
    }

    func subtitleSegment(
        _ number: Int,
        of stream: Int,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        var question = question(.subtitles)
        (question.number, question.stream) = (number, stream)
        return try ask(question, isLong: false, cancellation).bytes
    }

    func subtitleSegment(
        _ number: Int,
        ofFile side: FileIdentity,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        var question = question(.sideSubtitles)
        (question.number, question.side) = (number, side)
        return try ask(question, isLong: false, cancellation).bytes
    }

    /// The cuts that are made in this process without libav, which need no worker and no transfer.
    private func copied(_ cancellation: Cancellation) throws(PackagingError) -> CopiedCuts? {
        if let copied = known.withLock({ $0.copied }) { return copied }
        let bytes = try ask(question(.copied), isLong: false, cancellation).bytes
        let isValid = !bytes.isEmpty && bytes.count <= Question.copiedLimit
        let copied = isValid ? CopiedCuts(bytes, of: identity, for: device, facts) : nil
        known.withLock { $0.copied = .some(copied) }
        return copied
    }

    private var nonsense: PackagingError {
        PackagingError(.broken, file: identity.path, "a worker's answer lacks the requested value")
    }

    private func question(
        _ kind: Question.Kind,
        rendition: Rendition? = nil,
        container: SegmentContainer? = nil
    ) -> Question {
        var question = Question(kind, identity)
        (question.device, question.opening) = (device, opening)
        (question.rendition, question.container) = (rendition, container)
        return question
    }

    private func ask(
        _ question: Question,
        isLong: Bool,
        _ cancellation: Cancellation
    ) throws(PackagingError) -> Worker.Reply {
        do {
            let reply = try workers.perform(question, isLong: isLong, cancellation)
            if let refused = reply.answer.refusedAudio, !refused.isEmpty {
                known.withLock { $0.refusedAudio.merge(refused) { known, _ in known } }
            }
            return reply
        } catch {
            throw PackagingError.wrapping(error, file: identity.path)
        }
    }
}
