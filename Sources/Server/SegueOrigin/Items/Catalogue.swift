import Foundation
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import Synchronization

/// The scan results of the library's files.
///
/// Each result is stored with the file's identity, so a changed file is scanned again.
final class Catalogue: Sendable {
    enum Knowledge: Sendable {
        case pending
        case known(ItemFacts)
        /// The scan failed: a code and a sentence.
        case failed(code: String, message: String)
    }

    private struct Entry {
        var identity: FileIdentity
        var knowledge: Knowledge
        /// The version at which it was learned.
        var version: UInt64
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var version: UInt64 = 0
        /// The version of the last removal.
        var forgotten: UInt64 = 0

        mutating func keep(_ knowledge: Knowledge?, of id: String, _ identity: FileIdentity?) {
            version += 1
            guard let knowledge, let identity else {
                entries[id] = nil
                forgotten = version
                return
            }
            entries[id] = Entry(identity: identity, knowledge: knowledge, version: version)
        }
    }

    /// The time limit of a scan; lists do not wait longer for a file.
    private static let lookLimit = Duration.seconds(20)

    /// The error codes of a system without free file descriptors or memory; libav negates them.
    private static let scarcities = [EMFILE, ENFILE, ENOMEM]

    private let library: Library
    private let work: any FileWork
    private let keeper: (any IndexKeeping)?
    private let state = Mutex(State())
    private let looks = SingleFlight<String, Knowledge>()

    /// - Parameters:
    ///   - keeper: The store of scan results; nil for none.
    init(library: Library, work: any FileWork = OwnFileWork(), keeper: (any IndexKeeping)? = nil) {
        (self.library, self.work, self.keeper) = (library, work, keeper)
    }

    /// The current knowledge, without a scan.
    func knowledge(of item: LibraryItem) -> Knowledge {
        state.withLock { $0.entries[item.id]?.knowledge } ?? .pending
    }

    /// The number of scanned items.
    var count: Int { state.withLock { $0.entries.count } }

    /// Increases with each result and each removal.
    var version: UInt64 { state.withLock { $0.version } }

    /// All results by item id, each with its version.
    var all: [String: (version: UInt64, knowledge: Knowledge)] {
        state.withLock { $0.entries.mapValues { ($0.version, $0.knowledge) } }
    }

    /// The results after a version, or nil if a result was removed since.
    func learnt(since version: UInt64) -> [String: (version: UInt64, knowledge: Knowledge)]? {
        state.withLock { state in
            if state.forgotten > version { return nil }
            return state.entries.filter { $0.value.version > version }.mapValues { ($0.version, $0.knowledge) }
        }
    }

    /// Scans a file unless that was done since its last change.
    ///
    /// - Parameters:
    ///   - cancellation: Cancels the scan, which then has no result.
    /// - Returns: The current knowledge.
    @discardableResult
    func look(into item: LibraryItem, cancellation: Cancellation) -> Knowledge {
        guard let identity = try? FileIdentity(ofFileAt: item.filePath) else {
            forget(item)
            return .failed(code: "notFound", message: "the file does not exist any more or is not readable")
        }
        let known = state.withLock { $0.entries[item.id] }
        if let known, known.identity == identity { return known.knowledge }
        if identity.size == 0 {
            let empty = Knowledge.failed(code: "notMedia", message: "the file is empty")
            learn(empty, of: item, identity)
            return empty
        }
        let looked = try? looks.value(for: item.id, cancellation: cancellation) { work in
            self.knowledge(lookingInto: item, identity, cancellation: work, limit: Self.lookLimit)
        }
        guard let looked else { return .pending }
        if case .pending = looked { return .pending }
        learn(looked, of: item, identity)
        return looked
    }

    /// Stores the facts of a presentation, whose duration is exact.
    func learn(_ presentation: any Presenting, of item: LibraryItem) {
        let facts = ItemFacts(presentation)
        let known = state.withLock { $0.entries[item.id] }
        // Every request for an item presents it, and mostly nothing is new.
        if let known, known.identity == presentation.identity, case .known(let before) = known.knowledge,
            before.isPlanned, before.duration == facts.duration
        {
            return
        }
        learn(.known(facts), of: item, presentation.identity)
    }

    /// Stores the reason why an item cannot be presented, unless a scan succeeded.
    func learn(_ error: PackagingError, of item: LibraryItem, _ identity: FileIdentity) {
        state.withLock { state in
            if let entry = state.entries[item.id], entry.identity == identity, case .known = entry.knowledge { return }
            let failure = OriginFailure(error, item: item)
            state.keep(.failed(code: failure.code, message: failure.message), of: item.id, identity)
        }
    }

    /// Marks a file as not responding until it changes.
    func giveUp(_ item: LibraryItem) {
        guard let identity = try? FileIdentity(ofFileAt: item.filePath) else { return forget(item) }
        learn(Self.tooSlow, of: item, identity)
    }

    private static let tooSlow = Knowledge.failed(code: "tooSlow", message: "the file takes too long to open")

    /// Removes items that are no longer in the library.
    func keepOnly(_ ids: Set<String>) {
        state.withLock { state in
            let kept = state.entries.filter { ids.contains($0.key) }
            if kept.count < state.entries.count {
                state.version += 1
                state.forgotten = state.version
            }
            state.entries = kept
        }
    }

    private func forget(_ item: LibraryItem) { state.withLock { $0.keep(nil, of: item.id, nil) } }

    private func learn(_ knowledge: Knowledge, of item: LibraryItem, _ identity: FileIdentity) {
        var knowledge = knowledge
        if case .known(var facts) = knowledge {
            facts.added = identity.modifiedNanoseconds
            facts.hasSidecarImage = facts.kind == .music && SidecarImage.beside(item, in: library) != nil
            knowledge = .known(facts)
        }
        state.withLock { $0.keep(knowledge, of: item.id, identity) }
    }

    private func knowledge(
        lookingInto item: LibraryItem,
        _ identity: FileIdentity,
        cancellation: Cancellation,
        limit: Duration
    ) -> Knowledge {
        let limited = Cancellation(deadline: .now + limit)
        let registration = cancellation.whenCancelled { limited.cancel() }
        defer { cancellation.forget(registration) }
        do {
            let found = try MediaDescription.kept(of: identity, by: keeper) {
                try work.look(into: item.filePath, cancellation: limited)
            }
            return .known(ItemFacts(found))
        } catch let error as MediaError where error.isCancelled {
            if cancellation.isCancelled { return .pending }
            return Self.tooSlow
        } catch let error as MediaError where Self.scarcities.contains(where: { error.code == -$0 }) {
            return .pending
        } catch let error as MediaError {
            return .failed(code: "notMedia", message: "the file cannot be opened as media: \(error.message)")
        } catch {
            let failure = OriginFailure(error, item: item)
            return failure.status == 503 ? .pending : .failed(code: failure.code, message: failure.message)
        }
    }
}
